// A folder that goes with the test.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

struct Temporary {
  Temporary() {
    std::string name = (std::filesystem::temp_directory_path() / "p2plab-gui-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Temporary() { std::filesystem::remove_all(path); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
  std::filesystem::path path;
};
