// The programs beside the backends, against the stand-in: what they say is read by the doctor, the bench and the device check.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/check/doctor.h"
#include "app/check/gpu_info.h"
#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

namespace fs = std::filesystem;
using p2plab::check::GpuInfo;
using p2plab::check::gpu_info;
using p2plab::launch::Installation;
using p2plab::test::Environment;

namespace {

using Variables = std::map<std::string, std::string>;

nlohmann::json last_line(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  INFO(command << "\n" << output);
  CHECK(WEXITSTATUS(::pclose(pipe)) == 0);
  const auto json = nlohmann::json::parse(output, nullptr, false);
  REQUIRE(!json.is_discarded());
  return json;
}

std::string finding(const std::string& id, const Installation& installation = Installation::find()) {
  for (const auto& item : p2plab::check::diagnose(installation)) {
    if (item.id == id) return item.finding.id;
  }
  return {};
}

struct Said {
  int status = -1;
  std::string text;
};
Said said_by(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  Said out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out.text += static_cast<char>(c);
  out.status = WEXITSTATUS(::pclose(pipe));
  return out;
}

/// A folder of this process, removed at the end.
struct Folder {
  explicit Folder(const std::string& name) : path(fs::temp_directory_path() / ("p2plab " + name + " " + std::to_string(::getpid()))) { fs::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  void program(const std::string& name, const std::string& script) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path / name, fs::perms::owner_all);
  }
  const fs::path path;
};

/// What the measuring program prints. That recording costs too much may be so here: the stand-in's GPUs share the machine's cores.
nlohmann::json measured() {
  const Said said = said_by((Installation::find().lib() / "p2plab-gpu-measure").string());
  INFO(said.text);
  const bool overhead = said.text.find("Recording costs") != std::string::npos;
  CHECK(said.status == (overhead ? 1 : 0));
  for (const char* other : {"Products", "The events", "too coarse"}) CHECK(said.text.find(other) == std::string::npos);
  const auto json = nlohmann::json::parse(said.text.substr(said.text.find('{'), said.text.find('}') + 1 - said.text.find('{')), nullptr, false);
  REQUIRE(!json.is_discarded());
  return json;
}

}  // namespace

TEST_CASE("the doctor tells GPUs, the reason for none, and libraries that cannot be loaded") {
  const Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"P2PLAB_STANDIN_DEVICES", "2"}});
  const GpuInfo two = gpu_info(Installation::find());
  CHECK(two.state == GpuInfo::State::present);
  REQUIRE(two.names.size() == 2);
  CHECK(two.names[0].find("stand-in") != std::string::npos);
  CHECK(two.nccl.substr(0, 2) == "2.");
  CHECK(finding("gpus") == "doctor.gpu_cuda");
  for (const int error : {34, 35, 100}) {
    const Environment none(Variables{{"P2PLAB_STANDIN_DEVICES", "error " + std::to_string(error)}});
    const GpuInfo info = gpu_info(Installation::find());
    CHECK(info.state == GpuInfo::State::none);
    CHECK(info.error == error);
    CHECK(!info.why.empty());
    CHECK(finding("gpus") == "doctor.no_gpu_reason");
  }
  {
    const Environment failing(Variables{{"P2PLAB_STANDIN_DEVICES", "error 999"}});
    CHECK(gpu_info(Installation::find()).state == GpuInfo::State::failing);
    CHECK(finding("gpus") == "doctor.gpu_failing");
  }
  GpuInfo elsewhere = gpu_info(Installation{"/nonexistent"});
  CHECK(elsewhere.state == GpuInfo::State::not_built);
  CHECK(finding("cuda_backend") == "doctor.gpu_backend");
}

TEST_CASE("the doctor tells what is not built, and finds CUDA and NCCL where the backends find them") {
  const Installation nowhere{"/nonexistent"};
  CHECK(finding("cuda_backend", nowhere) == "doctor.no_cuda_backend");
  CHECK(finding("nccl_backend", nowhere) == "doctor.no_nccl_backend");
  const Folder folder("doctor");
  folder.program("lib/p2plab/p2plab-gpu-info", "exit 127");  // as the loader ends a program whose library it does not find
  CHECK(finding("gpus", Installation{folder.path}) == "doctor.gpu_unloadable");
  const Environment here(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}});
  CHECK(finding("nccl") == "doctor.nccl_version");
  if (!fs::exists("/usr/local/cuda/bin/nvcc")) {  // where it is looked for beside PATH
    const Environment bare(Variables{{"PATH", "/usr/bin:/bin"}});
    CHECK(finding("cuda", nowhere) == "doctor.no_cuda");
    CHECK(finding("cuda") == "doctor.cuda_runtime");
  }
}

TEST_CASE("neither the app nor a demo nor another backend links CUDA, NCCL or MPI's like") {
  const fs::path built = P2PLAB_BUILD_DIR, lib = Installation::find().lib();
  std::vector<fs::path> files{built / "bin/p2plab", built / "bin/p2plab-gui", lib / "libp2plab-p2p.so", lib / "libp2plab-host.so", lib / "libp2plab-sim.so"};
  for (const auto& entry : fs::directory_iterator(lib)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("demo-") || name.find("probe") != std::string::npos || name.find("supervise") != std::string::npos) files.push_back(entry.path());
  }
  int looked_at = 0;
  for (const fs::path& file : files) {
    if (!fs::exists(file)) continue;  // not part of this build
    const Said said = said_by("readelf -d '" + file.string() + "'");
    INFO(file << "\n" << said.text);
    REQUIRE(said.status == 0);
    for (const char* library : {"libcuda", "libnccl", "libcublas", "libnvidia"}) CHECK(said.text.find(library) == std::string::npos);
    ++looked_at;
  }
  CHECK(looked_at >= 15);
  CHECK(said_by("readelf -d '" + (lib / "libp2plab-cuda.so").string() + "'").text.find("libcudart") != std::string::npos);
}

TEST_CASE("P2PLAB_CUDA is AUTO, ON or OFF, and anything else is refused") {
  const Said said = said_by("cmake -DP2PLAB_CUDA=maybe -P '" P2PLAB_SOURCE_DIR "/cmake/P2PLabCuda.cmake'");
  CHECK(said.status != 0);
  CHECK(said.text.find("'maybe'") != std::string::npos);
}

TEST_CASE("the device check ends with an outcome: at once without a GPU, else with what its report says") {
  const std::string report = (std::filesystem::temp_directory_path() / ("p2plab device check " + std::to_string(::getpid()))).string();
  const auto check = [&](Variables variables) {
    variables.insert({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}, {"BUILD", P2PLAB_BUILD_DIR}});
    const Environment here(std::move(variables));
    std::FILE* pipe = ::popen(("sh '" P2PLAB_SOURCE_DIR "/tests/device/check.sh' '" + report + "' 2>&1").c_str(), "r");
    std::string said;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
    return std::pair(WEXITSTATUS(::pclose(pipe)), said);
  };
  const auto [none, sentence] = check({{"P2PLAB_STANDIN_DEVICES", "error 35"}});
  CHECK(none == 2);
  CHECK(std::count(sentence.begin(), sentence.end(), '\n') == 1);
  CHECK(sentence.find("cudaGetDeviceCount 35") != std::string::npos);
  const auto verdict = [&] {
    std::ifstream file(report + "/report.json");
    return nlohmann::json::parse(file)["verdict"].get<std::string>();
  };
  CHECK(check({{"P2PLAB_CHECK_SECONDS", "0"}}).first == 1);
  CHECK(verdict() == "not-run");
  CHECK(check({{"P2PLAB_CHECK_SECONDS", "10"}, {"P2PLAB_STANDIN_FAIL", "cudaMalloc:1"}}).first == 1);  // whatever it comes to
  CHECK(verdict() == "fail");
  // A sanitizer that cannot start says nothing of the lab.
  const Folder tools("tools");
  tools.program("compute-sanitizer", "echo no rights; exit 3");
  CHECK(check({{"P2PLAB_CHECK_SECONDS", "0"}, {"PATH", tools.path.string() + ":" + std::getenv("PATH")}}).first == 1);
  const auto entry = [&] {
    std::ifstream file(report + "/report.json");
    return nlohmann::json::parse(file);
  };
  CHECK(entry()["compute-sanitizer"]["why"] == "it cannot start here: no rights");
  tools.program("compute-sanitizer", "exit 0");
  CHECK(check({{"P2PLAB_CHECK_SECONDS", "0"}, {"PATH", tools.path.string() + ":" + std::getenv("PATH")}}).first == 1);
  CHECK(entry().contains("memcheck-pipeline"));
  std::filesystem::remove_all(report);
}

TEST_CASE("times of events fit into the host's clock around them") {
  const Environment here(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}});
  const auto json = measured();
  const double operations = json["operations"].get<double>() * json["operation_ns"].get<double>();
  CHECK(json["events_ns"].get<double>() >= operations);
  CHECK(json["events_ns"].get<double>() <= json["wall_ns"].get<double>() * 1.001);
  CHECK(json["clock_error_ns"].get<double>() > 0);
  CHECK(json["product_error"] == 0);
  CHECK(json["timer_step_ns"].get<double>() > 0);
  CHECK(json["timer_step_ns"].get<double>() <= 50'000);
}

TEST_CASE("a measurement that is not as it has to be is said, and is the exit status") {
  const Environment slow(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"P2PLAB_STANDIN_SLOW_RECORD", "0:2"}});
  const Said said = said_by((Installation::find().lib() / "p2plab-gpu-measure").string());
  INFO(said.text);
  CHECK(said.status == 1);
  CHECK(said.text.find("Recording costs") != std::string::npos);
}

TEST_CASE("matrix products are cuBLAS's where it is, else those of a kernel of the lab, and right both ways") {
  const Environment here(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}});
  const bool built = gpu_info(Installation::find(), true).cublas == "0.1";  // the stand-in's
  CHECK(gpu_info(Installation::find()).cublas.empty());
  CHECK(finding("cublas") == (built ? "doctor.cublas" : "doctor.no_cublas"));
  const auto by = [&] {
    const auto json = measured();
    CHECK(json["product_error"] == 0);
    return json["gpu"].get<std::string>();
  };
  CHECK((by().find("matrix products by cuBLAS 0.1") != std::string::npos) == built);
  const Environment failing(Variables{{"P2PLAB_STANDIN_FAIL", "cublasCreate:1"}});
  CHECK(by().find("matrix products by a kernel of the lab") != std::string::npos);
}

TEST_CASE("what recording costs is measured against bare CUDA in one run") {
  const Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}});
  const auto json = last_line((Installation::find().lib() / "p2plab-bench-gpu").string() + " --backend cuda --set milliseconds=100");
  CHECK(json["rounds"].get<int>() >= 5);
  CHECK(json["bare_ns"].get<double>() >= 1e6);
  CHECK(json["recorded_ns"].get<double>() >= 1e6);
}

TEST_CASE("the ring of sends over NCCL prints right bytes for one rank and for three") {
  const Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}});
  for (const std::string ranks : {"1", "3"}) {
    const auto json = last_line("mpiexec.mpich -n " + ranks + " " + (Installation::find().lib() / "p2plab-bench-nccl").string() + " 1K");
    CHECK(json["ranks"] == std::stoi(ranks));
    REQUIRE(json["rows"].size() == 8);
    for (const auto& row : json["rows"]) CHECK(row["wrong"] == 0);
  }
}

TEST_CASE("p2plab bench nccl prints the columns of nccl-tests, a row for each size") {
  const Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}, {"P2PLAB_STANDIN_DEVICES", "1"}, {"LANG", "C.UTF-8"}});
  const Said said = said_by("'" P2PLAB_BUILD_DIR "/bin/p2plab' bench nccl");
  INFO(said.text);
  REQUIRE(said.status == 0);
  std::istringstream lines(said.text);
  std::vector<std::vector<std::string>> rows, heads;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(word);
    if (!row.empty()) (row[0].starts_with("#") ? heads : rows).push_back(row);
  }
  REQUIRE(heads.size() == 3);
  CHECK(heads[1] == std::vector<std::string>{"#", "size", "count", "type", "time", "algbw", "busbw", "#wrong"});
  CHECK(heads[2] == std::vector<std::string>{"#", "(B)", "(elements)", "(us)", "(GB/s)", "(GB/s)"});
  REQUIRE(rows.size() == 25);  // 8 B to 128 MiB
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(rows[i].size() == 7);
    CHECK(rows[i][0] == std::to_string(std::size_t{8} << i));
    CHECK(rows[i][1] == rows[i][0]);
    CHECK(rows[i][2] == "uint8");
    CHECK(std::stod(rows[i][3]) > 0);
    CHECK(rows[i][4] == rows[i][5]);  // the bus factor of sendrecv is 1
    CHECK(rows[i][6] == "0");
  }
}
