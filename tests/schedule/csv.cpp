// Schedules in PyTorch's CSV: what is written is read back, and what is no schedule is refused with its place.
#include "app/schedule/csv.h"

#include "app/trace/error.h"
#include "tests/schedule/support.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {
std::string refusal(std::string_view csv) {
  try {
    read_csv(csv, "x.csv");
  } catch (const p2plab::Error& error) {
    return error.what();
  }
  return "read";
}
}  // namespace

TEST_CASE("a cell that is no action is repeated only in part, and whole characters of it") {
  const std::string said = refusal("0F0," + std::string(39, 'x') + "\xC3\xA9" + std::string(9000, 'y') + "\n");
  CHECK(said.find("cell=" + std::string(39, 'x') + "…") != std::string::npos);
  CHECK(said.size() < 200);
}

TEST_CASE("every schedule that has messages survives being written and read") {
  for (const Generator& generator : generators()) {
    if (generator.meets) continue;
    const Schedule schedule = make_schedule(generator, problem(4, 8, generator.chunks));
    const Schedule read = read_csv(write_csv(schedule), std::string(generator.id));
    INFO(generator.id);
    CHECK(read.stages == schedule.stages);
    CHECK(read.layout == schedule.layout);
    CHECK(read.microbatches == 8);
  }
}

TEST_CASE("PyTorch's words: whole and split backward, messages, FSDP, idle steps, overlapped pairs") {
  const Schedule schedule = read_csv(
      "0UNSHARD,0F0,0SEND_F0,,0RECV_B0,0I0,0W0,0REDUCE_GRAD,0RESHARD\r\n"
      ",1RECV_F0,1F0,1B0,1SEND_B0\r\n",
      "hand");
  CHECK(text(schedule.stages[0]) == "F0 send F0 receive B0 B0 W0 ");
  CHECK(text(schedule.stages[1]) == "receive F0 F0 B0 send B0 ");
  CHECK(says_messages(schedule));
  CHECK(text(find_fault(schedule)) == "");
  const Schedule overlapped = read_csv("0F0,0F1,(0F2;0B0)OVERLAP_F_B,0B1,0B2\n", "hand");
  CHECK(text(overlapped.stages[0]) == "F0 F1 F2 B0 B1 B2 ");
}

TEST_CASE("a table with a V keeps its placement") {
  const Schedule schedule = read_csv(write_csv(make_schedule(generator("zb-v"), problem(3, 6, 2))), "v");
  CHECK(schedule.layout == Layout({3, 6, 2}, Placement::vee));
}

TEST_CASE("cells that are no action, and parts that nobody or two rows hold, are refused with their place") {
  CHECK(refusal("0F0,0X0\n") == "schedule.csv.bad_cell cell=0X0 row=1 column=2");
  CHECK(refusal("0F0\n1F\n") == "schedule.csv.bad_cell cell=1F row=2 column=1");
  CHECK(refusal("-1F0\n") == "schedule.csv.bad_cell cell=-1F0 row=1 column=1");
  CHECK(refusal("0F0junk\n") == "schedule.csv.bad_cell cell=0F0junk row=1 column=1");
  CHECK(refusal("0F0\n0B0\n") == "schedule.csv.two_rows part=0 row=2 other=1 column=1");
  CHECK(refusal("0F0,0B0\n2F0,2B0\n") == "schedule.csv.nobody part=1 last=2");
  CHECK(refusal("") == "schedule.csv.empty file=x.csv");
  CHECK(refusal("0F99999999999\n") == "schedule.csv.bad_cell cell=0F99999999999 row=1 column=1");
  CHECK(refusal("0F99999999\n") == "schedule.csv.too_large");
}
