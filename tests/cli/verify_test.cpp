// p2plab verify as a whole: sources and executables, exit statuses and JSON as CONTRACTS.md has them, text in both
// languages; p2plab cc.
#include <nlohmann/json.hpp>

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
  std::vector<std::string> arguments = {"verify", file.string(), "--json", "-", "--timeout", "30"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended ended = p2plab(arguments);
  INFO(ended.err);
  Verified out{ended.status, json::parse(ended.out, nullptr, false), ended.err};
  REQUIRE_FALSE(out.result.is_discarded());
  CHECK(out.result["schema"] == "p2plab.verify/1");
  return out;
}

}  // namespace

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

TEST_CASE("What is no program is refused in one sentence") {
  Scratch scratch;
  CHECK(p2plab({"verify", (scratch / "missing.c").string()}).status == 2);
  CHECK(p2plab({"verify", write(scratch / "notes.txt", "no program").string()}).status == 2);
  CHECK(p2plab({"verify"}).status == 2);
}
