// The programs beside the backends, against the stand-in: what they say is read by the doctor, the bench and the device check.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/check/doctor.h"
#include "app/check/gpu_info.h"
#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

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

std::string finding(const std::string& id) {
  for (const auto& item : p2plab::check::diagnose(Installation::find())) {
    if (item.id == id) return item.finding.id;
  }
  return {};
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
  std::filesystem::remove_all(report);
}

TEST_CASE("times of events fit into the host's clock around them") {
  const Environment here(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}});
  const auto json = last_line((Installation::find().lib() / "p2plab-gpu-measure").string());
  const double operations = json["operations"].get<double>() * json["operation_ns"].get<double>();
  CHECK(json["events_ns"].get<double>() >= operations);
  CHECK(json["events_ns"].get<double>() <= json["wall_ns"].get<double>() * 1.001);
  CHECK(json["clock_error_ns"].get<double>() > 0);
  CHECK(json["product_error"] == 0);
}

TEST_CASE("matrix products are cuBLAS's where it is, else those of a kernel of the lab, and right both ways") {
  const std::string measure = (Installation::find().lib() / "p2plab-gpu-measure").string();
  const Environment here(Variables{{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}});
  const bool built = gpu_info(Installation::find(), true).cublas == "0.1";  // the stand-in's
  CHECK(gpu_info(Installation::find()).cublas.empty());
  CHECK(finding("cublas") == (built ? "doctor.cublas" : "doctor.no_cublas"));
  const auto by = [&] {
    const auto json = last_line(measure);
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
