// p2plab verify as a whole: sources and executables, exit statuses and JSON as CONTRACTS.md has them, text in both
// languages; p2plab cc.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

fs::path write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

/// Two ranks; `body` stands between MPI_Comm_rank and MPI_Finalize.
std::string program(const std::string& body) {
  return "#include <mpi.h>\nint main(int argc, char** argv) {\n  int rank, x = 1, y = 2;\n  MPI_Init(&argc, &argv);\n"
         "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  (void)x; (void)y;\n" + body + "\n  MPI_Finalize();\n  return 0;\n}\n";
}
const std::string kExchange = "MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
const std::string kDeadlock = "MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"  // line 7
                              "MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);";
const std::string kSendFirst = "MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);\n"
                               "MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";

struct Verified {
  int status = 0;
  json result;
  std::string err;
};

Verified verify(const fs::path& file, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"verify", file.string(), "--json", "-"};
  if (std::find(more.begin(), more.end(), "--timeout") == more.end()) arguments.insert(arguments.end(), {"--timeout", "30"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended ended = p2plab(arguments);
  INFO(ended.err);
  Verified out{ended.status, json::parse(ended.out, nullptr, false), ended.err};
  REQUIRE_FALSE(out.result.is_discarded());
  CHECK(out.result["schema"] == "p2plab.verify/1");
  return out;
}

/// `n` counts the runs of the program, over all runs that share the file argv[1].
std::string counting(const std::string& body) {
  return "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" +
         program("int n = 0;\nif (rank == 0) { int f = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600); n = write(f, \"x\", 1) > 0 ? (int)lseek(f, 0, SEEK_CUR) : 0; }\n"
                 "MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);\n" + body);
}

Verified verify_counting(const std::string& body, std::vector<std::string> more = {}) {
  Scratch scratch;
  more.insert(more.end(), {"--args", "'" + (scratch / "runs").string() + "'"});
  return verify(write(scratch / "counting.c", counting(body)), more);
}

/// Rank 0 takes a message of each of two others, from any source.
std::string fan_in(const std::string& body) {
  return "#include <stdio.h>\n#include <time.h>\n" +
         program("int a, b; struct timespec t; clock_gettime(CLOCK_REALTIME, &t);\n"
                 "if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
                 "else { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                 "MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n" + body + " }");
}

}  // namespace

TEST_CASE("A program that goes wrong in one of two equal runs is unstable, and nothing is proven of it") {
  // In the plain run; in whichever of the access and the strict run comes first; in the repeat of the plain run alone.
  for (const char* body : {"if (n == 1) MPI_Abort(MPI_COMM_WORLD, 3);", "if (n == 2) exit(4);", "if (n == 1 && rank == 0) MPI_Recv(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"}) {
    INFO(body);
    const Verified verified = verify_counting(body);
    CHECK(verified.status == 1);
    CHECK(verified.result["verdict"] == "unstable");
    CHECK(verified.result["why"]["id"] == "verify.unstable");
    REQUIRE(verified.result["findings"].size() == 1);
    CHECK(verified.result["findings"][0]["certainty"] == "possible");
  }
}

TEST_CASE("A program that always goes wrong fails, whatever else it depends on") {
  for (const char* body : {"if (n > 0) MPI_Abort(MPI_COMM_WORLD, n);", "if (n > 0) exit(n);"}) {
    INFO(body);
    const Verified verified = verify_counting(body);
    CHECK(verified.result["verdict"] == "fail");
    CHECK(verified.result["findings"][0]["kind"] == "wrong-exit");
  }
}

TEST_CASE("A choice of messages is blamed only for what it does again") {
  // The third run takes the messages in the other order; what goes wrong there has nothing to do with that.
  const Verified verified = verify_counting("if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\nelse for (int i = 0; i < 2; ++i) MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, "
                                            "MPI_STATUS_IGNORE);\nMPI_Barrier(MPI_COMM_WORLD);\nif (n == 4) MPI_Abort(MPI_COMM_WORLD, 3);", {"--ranks", "3"});
  CHECK(verified.result["verdict"] == "unstable");
}

TEST_CASE("A run of the lab's own that takes another order of messages and hangs shows a race, not a need for buffers") {
  // The plain run takes rank 2's message first, whatever the later runs take; then rank 1's is gone for the second receive.
  const Verified verified = verify_counting("if (rank == (n == 1 ? 1 : 2)) usleep(300000);\nif (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
                                            "else { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                                            "MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }", {"--ranks", "3"});
  REQUIRE(verified.result["findings"].size() == 1);
  CHECK(verified.result["findings"][0]["kind"] == "message-race");
}

TEST_CASE("What a program prints of the time is no race between messages, and hides none") {
  Scratch scratch;
  const fs::path right = write(scratch / "right.c", fan_in("printf(\"sum %d after %ld ns\\n\", a + b, t.tv_nsec);"));
  CHECK(verify(right, {"--ranks", "3"}).result["verdict"] == "pass");
  const fs::path wrong = write(scratch / "wrong.c", fan_in("printf(\"%s came first after %ld ns\\n\", a < b ? \"one\" : \"two\", t.tv_nsec);"));
  const Verified verified = verify(wrong, {"--ranks", "3"});
  REQUIRE(verified.result["findings"].size() == 1);
  CHECK(verified.result["findings"][0]["kind"] == "message-race");
}

TEST_CASE("A run of the lab's own that does not end leaves no verdict, and says what was not judged") {
  Scratch scratch;
  const fs::path file = write(scratch / "slow.c", program(kExchange + "\n#ifdef __SANITIZE_THREAD__\nfor (;;) { }\n#endif"));
  const Verified verified = verify(file, {"--timeout", "2"});
  CHECK(verified.status == 3);
  CHECK(verified.result["verdict"] == "infra-error");
  CHECK(verified.result["why"]["id"] == "verify.unfinished_access");
  CHECK(verified.result["findings"].empty());
  CHECK(verified.err.find("races on buffers were not judged") != std::string::npos);
}

TEST_CASE("More output than is kept names the rank, the limit and what was measured") {
  Scratch scratch;
  const fs::path file = write(scratch / "flood.c", "#include <stdio.h>\n" + program(kExchange + "\nif (rank == 1) for (int i = 0; i < 20000000 / 50; ++i) printf(\"%049d\\n\", i);"));
  const Verified verified = verify(file);
  CHECK(verified.status == 1);
  REQUIRE(verified.result["findings"].size() == 1);
  const json& finding = verified.result["findings"][0];
  CHECK(finding["kind"] == "resource-limit");
  REQUIRE(finding["sites"].size() == 1);
  CHECK(finding["sites"][0]["rank"] == 1);
  CHECK(finding["detail"].get<std::string>().find("printed 20000000 B on stdout, more than the 16777216 B") != std::string::npos);
}

TEST_CASE("All ranks that end with a bad status are one finding, with the status of each") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "status.c", program("MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 3 + rank;")), {"--ranks", "3"});
  REQUIRE(verified.result["findings"].size() == 1);
  const json& finding = verified.result["findings"][0];
  CHECK(finding["kind"] == "wrong-exit");
  CHECK(finding["count"] == 3);
  CHECK(finding["sites"].size() == 3);
  CHECK(finding["detail"].get<std::string>().find("rank 0: 3, rank 1: 4, rank 2: 5") != std::string::npos);
}

TEST_CASE("What is said of a crash is the same each time") {
  Scratch scratch;
  const fs::path file = write(scratch / "crash.c", program("if (rank == 1) *(volatile int*)0 = 1;\n" + kExchange));
  const json first = verify(file).result["findings"], second = verify(file).result["findings"];
  CHECK(first[0]["kind"] == "crash");
  CHECK(first == second);
  CHECK(first.dump().find("last words") == std::string::npos);  // it had none of its own
}

TEST_CASE("An interrupted run has no verdict and claims no trace") {
  Scratch scratch;
  const fs::path file = write(scratch / "sleeper.c", "#include <unistd.h>\n" + program("sleep(600);"));
  Running running({"verify", file.string(), "--json", (scratch / "out.json").string(), "--lang", "en"});
  for (int i = 0; i < 600 && processes_with("p2plab-verify-").size() < 3; ++i) usleep(100'000);
  kill(running.pid(), SIGINT);
  const Ended ended = running.wait();
  CHECK(ended.status == 130);
  const json result = json::parse(read_file(scratch / "out.json"));
  CHECK(result["verdict"] == "infra-error");
  CHECK(result["trace"].is_null());
  CHECK(result["why"]["id"] == "verify.interrupted");
  CHECK(ended.out.find("trace") == std::string::npos);
}

TEST_CASE("A verify that is killed leaves no pass behind, not even that of an earlier run") {
  Scratch scratch;
  const fs::path file = write(scratch / "sleeper.c", "#include <unistd.h>\n" + program("sleep(600);"));
  const fs::path json_file = write(scratch / "out.json", R"({"schema":"p2plab.verify/1","verdict":"pass"})");
  const std::string built = (scratch / "built").string();
  fs::create_directories(built);
  Running running({"verify", file.string(), "--json", json_file.string()}, {{"TMPDIR", built}});
  for (int i = 0; i < 600 && processes_with(built).size() < 3; ++i) usleep(100'000);
  kill(running.pid(), SIGKILL);
  running.wait();
  CHECK(read_file(json_file).find("pass") == std::string::npos);
  for (int i = 0; i < 300 && !processes_with(built).empty(); ++i) usleep(100'000);
  CHECK(processes_with(built).empty());
}

TEST_CASE("A static program, into which the profiling layer is not loaded, has no verdict") {
  Scratch scratch;
  const fs::path file = write(scratch / "still.c", "const char* volatile name = \"PMPI_Init\";\nint main(void) { return 0; }\n");
  const std::string made = (scratch / "still").string();
  REQUIRE(std::system(("cc -static '" + file.string() + "' -o '" + made + "'").c_str()) == 0);
  const Verified verified = verify(made);
  CHECK(verified.status == 3);
  CHECK(verified.result["verdict"] == "infra-error");
  CHECK(verified.result["why"]["id"] == "verify.no_probe");
}

TEST_CASE("Flags that the compiler refuses are not blamed on the file") {
  Scratch scratch;
  const fs::path file = write(scratch / "right.c", program(kExchange));
  const Verified verified = verify(file, {"--cflags=-Wbogus -O2"});
  CHECK(verified.status == 1);
  CHECK(verified.result["verdict"] == "build-error");
  CHECK(verified.result["why"]["id"] == "verify.bad_flags");
  CHECK(verify(write(scratch / "broken.c", "int main( {}\n"), {"--cflags=-O2"}).result["why"]["id"] == "verify.build_error");
}

TEST_CASE("A run of verify is not repeated as a demo") {
  Scratch scratch;
  const fs::path file = write(scratch / "right.c", program(kExchange));
  const std::string trace = (scratch / "v.pftrace").string(), result = (scratch / "v.json").string();
  REQUIRE(p2plab({"verify", file.string(), "--trace", trace, "--json", result}).status == 0);
  for (const std::string& saved : {trace, result}) {
    const Ended ended = p2plab({"run", "--again", saved, "--lang", "en"});
    CHECK(ended.status == 2);
    CHECK(ended.err.find("p2plab verify " + file.string() + " --ranks 2 --seed 1") != std::string::npos);
  }
}

TEST_CASE("The help of verify states its own defaults") {
  const Ended ended = p2plab({"verify", "--help", "--lang", "en"});
  CHECK(ended.out.find("Number of ranks (default 2)") != std::string::npos);
  CHECK(ended.out.find("demo's own") == std::string::npos);
}

TEST_CASE("A correct program passes, over a plain, an access and a strict run") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "right.c", program(kExchange)));
  CHECK(verified.status == 0);
  CHECK(verified.result["verdict"] == "pass");
  CHECK(verified.result["findings"].empty());
  CHECK(verified.result["runs"].size() == 3);
  CHECK(verified.result["buffers"] == "exact");
}

TEST_CASE("A deadlock is one finding with the line of each rank") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "wrong.c", program(kDeadlock)));
  CHECK(verified.status == 1);
  CHECK(verified.result["verdict"] == "fail");
  REQUIRE(verified.result["findings"].size() == 1);
  const json& finding = verified.result["findings"][0];
  CHECK(finding["kind"] == "deadlock");
  CHECK(finding["certainty"] == "proven");
  REQUIRE(finding["sites"].size() == 2);
  for (const json& site : finding["sites"]) {
    CHECK(site["line"] == 7);
    CHECK(site["call"] == "MPI_Recv");
    CHECK(site["file"] == (scratch / "wrong.c").string());
  }
}

TEST_CASE("A program that buffering saves is unsafe, in C++ as well") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "unsafe.cpp", program(kSendFirst)));
  REQUIRE(verified.result["findings"].size() == 1);
  CHECK(verified.result["findings"][0]["kind"] == "unsafe-buffering");
}

TEST_CASE("A program whose results differ with the order, and that knows whom it hears, is told so as possible and passes") {
  Scratch scratch;
  const fs::path source = write(scratch / "arrival.c", "#include <stdio.h>\n" + program(
      "MPI_Status s;\nint sum = 0;\nif (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);\n"
      "for (int i = 0; rank == 0 && i < 2; ++i) { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s); sum = 10 * sum + y + (s.MPI_SOURCE < 0); }\n"
      "if (rank == 0) printf(\"%d\\n\", sum);"));
  const Verified told = verify(source, {"--ranks", "3"});
  CHECK(told.status == 0);
  CHECK(told.result["verdict"] == "pass");
  REQUIRE(told.result["findings"].size() == 1);
  CHECK(told.result["findings"][0]["kind"] == "message-race");
  CHECK(told.result["findings"][0]["certainty"] == "possible");
  // What an executable reads is not told: that it has asked for the status is enough for a doubt.
  const std::string made = (scratch / "arrival").string();
  REQUIRE(std::system(("mpicc.mpich '" + source.string() + "' -o '" + made + "'").c_str()) == 0);
  const Verified executable = verify(made, {"--ranks", "3"});
  CHECK(executable.result["verdict"] == "pass");
  REQUIRE(executable.result["findings"].size() == 1);
  CHECK(executable.result["findings"][0]["certainty"] == "possible");
}

TEST_CASE("Messages from any source that are swapped in what a rank keeps to itself are told as possible") {
  Scratch scratch;
  const std::string both = program(
      "if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
      "else { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
      "MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }");
  const Verified kept = verify(write(scratch / "kept.c", both), {"--ranks", "3"});
  CHECK(kept.result["verdict"] == "pass");
  REQUIRE(kept.result["findings"].size() == 1);
  CHECK(kept.result["findings"][0]["kind"] == "message-race");
  CHECK(kept.result["findings"][0]["certainty"] == "possible");
  const std::string sum = program(
      "if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
      "for (int i = 1; rank == 0 && i < 3; ++i) { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); x += y; }");
  const Verified added = verify(write(scratch / "sum.c", sum), {"--ranks", "3"});
  CHECK(added.result["verdict"] == "pass");
  CHECK(added.result["findings"].empty());
}

TEST_CASE("Choices that no run can be made to take are counted and told") {
  Scratch scratch;
  const std::string many = program(
      "for (int i = 0; i < 300 && rank > 0; ++i) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
      "for (int i = 0; i < 600 && rank == 0; ++i) { MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); x += y; }");
  const Verified told = verify(write(scratch / "many.c", many), {"--ranks", "3", "--runs", "1"});
  CHECK(told.result["verdict"] == "pass");
  CHECK(told.result["metrics"]["orders_out_of_reach"].get<int>() > 0);
  CHECK(told.err.find("more than 256 messages from any source") != std::string::npos);
}

TEST_CASE("A message shorter than its receive is legal, and told") {
  Scratch scratch;
  const std::string shorter = program("int many[4];\nif (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\n"
                                      "else MPI_Recv(many, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
  const Verified told = verify(write(scratch / "shorter.c", shorter));
  CHECK(told.result["verdict"] == "pass");
  CHECK(told.result["metrics"]["short_messages"] == 1);
  CHECK(told.err.find("shorter than the receive") != std::string::npos);
  CHECK(verify(write(scratch / "equal.c", program(kExchange))).result["metrics"]["short_messages"] == 0);
}

TEST_CASE("A datatype of more blocks than can be watched leaves no verdict") {
  Scratch scratch;
  const std::string huge = "#include <stdlib.h>\n" + program(
      "MPI_Datatype t; int* a = calloc(2400000, sizeof(int)); MPI_Type_vector(1200000, 1, 2, MPI_INT, &t); MPI_Type_commit(&t);\n"
      "if (rank == 0) MPI_Send(a, 1, t, 1, 0, MPI_COMM_WORLD); else MPI_Recv(a, 1, t, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
      "MPI_Type_free(&t); free(a);");
  const Verified told = verify(write(scratch / "huge.c", huge));
  CHECK(told.status == 3);
  CHECK(told.result["why"]["id"] == "verify.unmapped");
}

TEST_CASE("An error of a call that the profiling layer does not stand in front of has the name that the program wrote") {
  Scratch scratch;
  const std::string bad = program("MPI_Group all, one;\nint ranks[] = {99};\nMPI_Comm_group(MPI_COMM_WORLD, &all);\n"
                                  "MPI_Group_incl(all, 1, ranks, &one);\nMPI_Group_free(&all);");
  const Verified told = verify(write(scratch / "group.c", bad));
  REQUIRE(told.result["findings"].size() == 1);
  CHECK(told.result["findings"][0]["kind"] == "invalid-argument");
  CHECK(told.result["findings"][0]["sites"][0]["call"] == "MPI_Group_incl");
}

TEST_CASE("Two operations that share a buffer are each told with their own arguments, and one that shares it with several is one finding") {
  Scratch scratch;
  const fs::path source = write(scratch / "shared.c", program(
      "int v[8] = {0}, w[8];\nMPI_Request r[3];\n"
      "MPI_Isend(v, 8, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &r[0]);\nMPI_Isend(v + 4, 4, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &r[1]);\n"
      "MPI_Irecv(v, 8, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &r[2]);\nMPI_Recv(w, 4, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
      "MPI_Waitall(3, r, MPI_STATUSES_IGNORE);"));
  const Verified shared = verify(source);
  CHECK(shared.status == 1);
  REQUIRE(shared.result["findings"].size() == 1);
  const json& finding = shared.result["findings"][0];
  CHECK(finding["kind"] == "recv-buffer-race");
  std::set<std::tuple<int, int, int, int>> sites;
  for (const json& site : finding["sites"]) sites.emplace(site["rank"].get<int>(), site["line"].get<int>(), site["tag"].get<int>(), site["bytes"].get<int>());
  for (int rank = 0; rank < 2; ++rank) {
    CHECK(sites.count({rank, 11, 1, 32}) == 1);
    CHECK(sites.count({rank, 9, 1, 32}) == 1);
    CHECK(sites.count({rank, 10, 2, 16}) == 1);
  }
}

TEST_CASE("A wait for a receive is not explained as a send that waits") {
  Scratch scratch;
  const fs::path source = write(scratch / "waits.c", program(
      "MPI_Request r;\nMPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);\nMPI_Wait(&r, MPI_STATUS_IGNORE);\n"
      "MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);"));
  const Ended report = p2plab({"verify", source.string(), "--lang", "en"});
  CHECK(report.status == 1);
  CHECK(report.out.find("A receive ends only when a message") != std::string::npos);
  CHECK(report.out.find("standard send") == std::string::npos);
}

TEST_CASE("A source that does not compile is a build error with the compiler's text") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "broken.c", "int main( { return 0; }\n"));
  CHECK(verified.status == 1);
  CHECK(verified.result["verdict"] == "build-error");
  CHECK(verified.result["compiler"].get<std::string>().find("broken.c:1") != std::string::npos);
  CHECK(verified.result["runs"].empty());
}

TEST_CASE("A program that never calls MPI is no pass") {
  Scratch scratch;
  const Verified verified = verify(write(scratch / "none.c", "int main(void) { return 0; }\n"));
  CHECK(verified.status == 1);
  CHECK(verified.result["findings"][0]["kind"] == "wrong-exit");
  CHECK(verified.result["runs"].size() == 1);  // another would show no more
  const Ended other = p2plab({"verify", "/bin/true", "--lang", "en"});
  CHECK(other.status == 1);
  CHECK(other.out.find("/bin/true is no MPI program") != std::string::npos);
}

TEST_CASE("A program that calls past the profiling layer has no verdict, as a source and as an executable, and is told how to get one") {
  Scratch scratch;
  const std::string wrapper = "#include <mpi.h>\nint MPI_Send(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) { return PMPI_Send(b, n, t, to, tag, c); }\n";
  const std::string direct = "if (rank == 0) PMPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\nelse MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
  const fs::path own = write(scratch / "own.c", wrapper + program(kExchange)), past = write(scratch / "past.c", program(direct));
  const std::string made = (scratch / "made").string();
  REQUIRE(std::system(("mpicc.mpich -s '" + past.string() + "' -o '" + made + "'").c_str()) == 0);
  for (const fs::path& file : {own, past, fs::path(made)}) {
    const Verified verified = verify(file);
    INFO(file.string());
    CHECK(verified.status == 3);
    CHECK(verified.result["verdict"] == "infra-error");
    CHECK(verified.result["findings"].empty());
    CHECK(verified.err.find("PMPI_Send") != std::string::npos);
    CHECK(verified.err.find("Call MPI_ names") != std::string::npos);
  }
  // Names of MPI that the layer leaves alone, and names that only look like MPI's, hide nothing.
  CHECK(verify(write(scratch / "clock.c", "static int MPI_Exchange_all(int x) { return x; }\n" + program("x = MPI_Exchange_all(PMPI_Wtime() > 0);\n" + kExchange))).status == 0);
}

TEST_CASE("A program that speaks to processes it has spawned, or would, has no verdict") {
  Scratch scratch;
  const fs::path file = write(scratch / "spawn.c", program(
      "MPI_Comm parent, child; MPI_Comm_get_parent(&parent);\n"
      "if (parent == MPI_COMM_NULL) { MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, MPI_ERRCODES_IGNORE);\n"
      "MPI_Send(&x, 1, MPI_INT, 0, 0, child); MPI_Comm_disconnect(&child); }\n"
      "else { MPI_Recv(&y, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE); MPI_Comm_disconnect(&parent); }"));
  const Verified verified = verify(file, {"--ranks", "1"});
  INFO(verified.result.dump());
  CHECK(verified.result["verdict"] == "infra-error");
  for (const json& finding : verified.result["findings"]) CHECK(finding["certainty"] == "possible");  // where the launcher starts no more processes
}

TEST_CASE("Flags and arguments may begin with a dash, or be empty") {
  Scratch scratch;
  const fs::path file = write(scratch / "flags.c", "#ifndef WANTED\n#error no flag\n#endif\n" + program("if (argc != 2) return 3;\n" + kExchange));
  CHECK(verify(file, {"--cflags", "-DWANTED -O2", "--args", "-n"}).status == 0);
  CHECK(verify(file, {"--cflags=-DWANTED", "--args", ""}).status == 1);
}

TEST_CASE("p2plab cc makes programs whose accesses are told, compiled and linked at once or apart") {
  Scratch scratch;
  const fs::path file = write(scratch / "race.c", program("MPI_Request q;\nif (rank == 0) {\nMPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &q);\nx = 1;\n"
                                                          "MPI_Wait(&q, MPI_STATUS_IGNORE);\n} else MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  const std::string at_once = (scratch / "at once").string(), object = (scratch / "race.o").string(), apart = (scratch / "apart").string();
  REQUIRE(p2plab({"cc", "-Wall", file.string(), "-o", at_once}).status == 0);
  REQUIRE(p2plab({"cc", "-O2", "-c", file.string(), "-o", object}).status == 0);
  REQUIRE(p2plab({"cc", object, "-o", apart}).status == 0);
  for (const std::string& made : {at_once, apart}) {
    const Verified verified = verify(made);
    CHECK(verified.result["buffers"] == "exact");
    REQUIRE(verified.result["findings"].size() == 1);
    CHECK(verified.result["findings"][0]["kind"] == "send-buffer-race");
    CHECK(verified.result["findings"][0]["sites"][0]["line"] == 10);
  }
  CHECK(p2plab({"cc", "--version"}).out.find("gcc") != std::string::npos);
}

TEST_CASE("An executable is judged with the profiling layer preloaded, and the report says that it is less precise") {
  Scratch scratch;
  const fs::path file = write(scratch / "dead.c", program(kDeadlock));
  const std::string made = (scratch / "dead").string();
  REQUIRE(std::system(("mpicc.mpich '" + file.string() + "' -o '" + made + "'").c_str()) == 0);
  const Verified verified = verify(made);
  CHECK(verified.result["findings"][0]["kind"] == "deadlock");
  CHECK(verified.result["buffers"] == "hashes");
  CHECK(verified.err.find("hashes alone") != std::string::npos);
}

TEST_CASE("The report draws the cycle, says why and how to mend it, in either language") {
  Scratch scratch;
  const fs::path file = write(scratch / "wrong.c", program(kDeadlock));
  const Ended english = p2plab({"verify", file.string(), "--lang", "en"});
  CHECK(english.status == 1);
  CHECK(english.out.find("└──── ↓") != std::string::npos);
  CHECK(english.out.find("Why: ") != std::string::npos);
  CHECK(english.out.find("Fix: ") != std::string::npos);
  CHECK(p2plab({"verify", file.string(), "--lang", "zh"}).out.find("死锁") != std::string::npos);
}

TEST_CASE("What is no program is refused in one sentence that says what it is") {
  Scratch scratch;
  const auto refused = [&](const std::string& path, const std::string& words) {
    const Ended ended = p2plab({"verify", path});
    INFO(ended.err);
    CHECK(ended.status == 2);
    CHECK(ended.err.find(words) != std::string::npos);
    CHECK(lines(ended.err) == 1);
  };
  refused("", "path of the program is empty");
  refused((scratch / "").string(), "is a folder");
  for (const auto& [name, text, words] : {std::tuple{"start.sh", "#!/bin/sh\nexec true\n", "is a script for /bin/sh"}, std::tuple{"notes", "no program", "no ELF file"}}) {
    const fs::path file = write(scratch / name, text);
    fs::permissions(file, fs::perms::owner_all);
    refused(file.string(), words);
  }
  CHECK(p2plab({"verify", (scratch / "missing.c").string()}).status == 2);
  CHECK(p2plab({"verify", write(scratch / "notes.txt", "no program").string()}).status == 2);
  CHECK(p2plab({"verify"}).status == 2);
}
