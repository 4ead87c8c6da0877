// Type signatures, sizes, and collectives compared over their ranks.
#include "app/analysis/collectives.h"
#include "app/analysis/matching.h"
#include "app/analysis/signatures.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using p2plab::analysis::CollectiveCheck;
using p2plab::analysis::compare_signatures;
using p2plab::analysis::Match;
using p2plab::analysis::message_findings;

TEST_CASE("Types match by name, element by element, as far as the message goes") {
  CHECK(compare_signatures("MPI_INT", "MPI_INT", 40) == Match::same);
  CHECK(compare_signatures("MPI_INT", "MPI_FLOAT", 40) == Match::different);
  CHECK(compare_signatures("MPI_INT", "MPI_BYTE", 40) == Match::different);
  CHECK(compare_signatures("MPI_LONG", "MPI_LONG_LONG", 8) == Match::different);
  CHECK(compare_signatures("MPI_INT", "MPI_INT32_T", 40) == Match::alike);
  CHECK(compare_signatures("MPI_PACKED", "MPI_DOUBLE", 40) == Match::same);
  CHECK(compare_signatures("", "MPI_DOUBLE", 40) == Match::same);
}

TEST_CASE("A derived type matches any other with the same elements in the same order") {
  CHECK(compare_signatures("MPI_INT:1,MPI_DOUBLE:1", "MPI_INT:1,MPI_DOUBLE:1,MPI_INT:1,MPI_DOUBLE:1", 48) == Match::same);
  CHECK(compare_signatures("MPI_INT:2,MPI_DOUBLE:1", "MPI_INT:1,MPI_DOUBLE:2", 16) == Match::different);
  CHECK(compare_signatures("MPI_INT:2,MPI_DOUBLE:1", "MPI_INT", 8) == Match::same);   // the message ends before the double
  CHECK(compare_signatures("MPI_INT:2,MPI_DOUBLE:1", "MPI_INT", 16) == Match::different);
}

namespace {

Run message(const std::string& sent, std::uint64_t sent_bytes, const std::string& wanted, std::uint64_t wanted_bytes) {
  Run run(2);
  const auto add = [&](int rank, Kind kind, int peer, const std::string& type, std::uint64_t bytes) {
    Span span;
    span.kind = kind;
    span.flags = kInFlight;
    span.track = run.trace.track(rank, run.trace.in_flight_lane());
    span.peer = peer;
    span.tag = 1;
    span.request = 0;
    span.comm = run.trace.intern("world");
    span.detail = run.trace.intern(type);
    span.bytes = bytes;
    run.trace.begin(span);
  };
  add(0, Kind::send, 1, sent, sent_bytes);
  add(1, Kind::receive, 0, wanted, wanted_bytes);
  p2plab::analysis::Matcher matcher;
  matcher.update(run.trace);
  return run;
}

}  // namespace

TEST_CASE("A message of another type is a mismatch, a longer receive is none, a shorter one is") {
  const auto types = message_findings(message("MPI_INT", 16, "MPI_FLOAT", 16).trace);
  REQUIRE(types.size() == 1);
  CHECK(types[0].kind == "type-mismatch");
  CHECK(types[0].sites.size() == 2);
  CHECK(message_findings(message("MPI_INT", 16, "MPI_INT", 64).trace).empty());
  const auto sizes = message_findings(message("MPI_INT", 16, "MPI_INT", 8).trace);
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].kind == "size-mismatch");
}

namespace {

/// One collective of two ranks with these names and texts; the id of what differs, "" if nothing does.
std::string difference(const std::string& first, const std::string& first_text, const std::string& second, const std::string& second_text) {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) {
    Span span;
    span.kind = Kind::collective;
    span.track = run.track(rank);
    span.sequence = 0;
    span.comm = run.trace.intern("world");
    span.name = run.trace.intern(rank == 0 ? first : second);
    span.detail = run.trace.intern(rank == 0 ? first_text : second_text);
    run.trace.begin(span);
  }
  CollectiveCheck check;
  const auto finding = check.update(run.trace);
  return finding ? finding->detail.id : "";
}

}  // namespace

TEST_CASE("Collectives must be the same call with the same root, operation and amounts") {
  CHECK(difference("MPI_Barrier", "", "MPI_Barrier", "").empty());
  CHECK(difference("MPI_Barrier", "", "MPI_Bcast", "r0;tMPI_INT*4;") == "finding-detail.collective-order");
  CHECK(difference("MPI_Bcast", "r0;gMPI_INT*4;", "MPI_Bcast", "r0;tMPI_INT*4;").empty());
  CHECK(difference("MPI_Bcast", "r0;gMPI_INT*4;", "MPI_Bcast", "r1;gMPI_INT*4;") == "finding-detail.collective-root");
  CHECK(difference("MPI_Bcast", "r0;gMPI_INT*4;", "MPI_Bcast", "r0;tMPI_INT*8;") == "finding-detail.collective-count");
  CHECK(difference("MPI_Bcast", "r0;gMPI_INT*4;", "MPI_Bcast", "r0;tMPI_FLOAT*4;") == "finding-detail.collective-type");
  CHECK(difference("MPI_Reduce", "r0;oMPI_SUM;eMPI_INT*4;", "MPI_Reduce", "r0;oMPI_MAX;eMPI_INT*4;") == "finding-detail.collective-op");
}

TEST_CASE("Amounts for each rank are compared pair by pair") {
  CHECK(difference("MPI_Gatherv", "r0;gMPI_INT*4;tMPI_INT*4/8;", "MPI_Gatherv", "r0;gMPI_INT*8;").empty());
  CHECK(difference("MPI_Gatherv", "r0;gMPI_INT*4;tMPI_INT*4/8;", "MPI_Gatherv", "r0;gMPI_INT*12;") == "finding-detail.collective-count");
  CHECK(difference("MPI_Alltoall", "gMPI_INT*4;tMPI_INT*4;", "MPI_Alltoall", "gMPI_INT*8;tMPI_INT*8;") == "finding-detail.collective-count");
}
