// Device memory that the host cannot touch: the address that the program gets is mapped without any right; the stand-in's
// own threads use a second mapping of the same pages. Freed addresses are never handed out again.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "state.h"

namespace standin {
namespace {

struct Block {
  std::size_t bytes = 0, mapped = 0;
  bool device = false, freed = false;
  char* alias = nullptr;
  int file = -1;        ///< of device memory, for other processes
  bool foreign = false; ///< another process's
};

struct Blocks {
  std::mutex mutex;
  std::map<const char*, Block> at;
};
Blocks& blocks() {
  static auto* all = new Blocks;
  return *all;
}

std::map<const char*, Block>::iterator find(const void* address) {
  const auto* p = static_cast<const char*>(address);
  auto it = blocks().at.upper_bound(p);
  if (it == blocks().at.begin()) return blocks().at.end();
  --it;
  return p < it->first + it->second.mapped ? it : blocks().at.end();
}

struct sigaction g_before;

void say(const char* text) { [[maybe_unused]] const auto written = ::write(2, text, std::strlen(text)); }

// The host touched device memory, as on a real machine a crash; here it is said why.
void on_fault(int signal, siginfo_t* info, void*) {
  for (const auto& [begin, block] : blocks().at) {  // without the lock: the process ends here
    const auto* at = static_cast<const char*>(info->si_addr);
    if (at >= begin && at < begin + block.mapped) {
      say(block.freed ? "stand-in: the host touched freed device memory\n" : "stand-in: the host touched device memory; copy it with cudaMemcpyAsync\n");
      break;
    }
  }
  ::sigaction(signal, &g_before, nullptr);
}

void watch_faults() {
  static const bool once = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGSEGV, &action, &g_before);
    return true;
  }();
  (void)once;
}

std::size_t pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

}  // namespace

namespace {

/// Maps the file twice: without any right for the program, and for the stand-in.
bool map_device(Block& block, void** out) {
  // One page more, so that whoever runs over the end falls.
  void* user = ::mmap(nullptr, block.mapped + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* alias = ::mmap(nullptr, block.mapped + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (user == MAP_FAILED || alias == MAP_FAILED ||
      ::mmap(alias, block.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, block.file, 0) == MAP_FAILED) {
    return false;
  }
  block.alias = static_cast<char*>(alias);
  if (!block.foreign) std::memset(alias, 0xCD, block.mapped);  // nobody may count on zeros
  const std::lock_guard lock(blocks().mutex);
  blocks().at[static_cast<const char*>(user)] = block;
  *out = user;
  return true;
}

/// What a cudaIpcMemHandle_t holds here.
struct Handle {
  int pid, file;
  std::size_t bytes;
};

}  // namespace

cudaError_t allocate_device(void** out, std::size_t bytes) {
  watch_faults();
  Block block;
  block.bytes = bytes;
  block.mapped = pages(bytes);
  block.device = true;
  block.file = ::memfd_create("p2plab-standin", MFD_CLOEXEC);
  if (block.file < 0 || ::ftruncate(block.file, static_cast<off_t>(block.mapped)) != 0 || !map_device(block, out)) {
    return refuse(cudaErrorMemoryAllocation, "cudaMalloc", "no memory");
  }
  return cudaSuccess;
}

cudaError_t share_block(void* memory, cudaIpcMemHandle_t* out) {
  const std::lock_guard lock(blocks().mutex);
  const auto it = find(memory);
  if (it == blocks().at.end() || !it->second.device || it->second.freed || it->second.foreign) {
    return refuse(cudaErrorInvalidValue, "cudaIpcGetMemHandle", "this is no block of cudaMalloc of this process");
  }
  const Handle handle{static_cast<int>(::getpid()), it->second.file, it->second.bytes};
  std::memset(out, 0, sizeof *out);
  std::memcpy(out->reserved, &handle, sizeof handle);
  return cudaSuccess;
}

cudaError_t open_shared(const cudaIpcMemHandle_t& from, void** out) {
  Handle handle;
  std::memcpy(&handle, from.reserved, sizeof handle);
  if (handle.pid == ::getpid()) return refuse(cudaErrorInvalidValue, "cudaIpcOpenMemHandle", "a handle is for another process");
  Block block;
  block.bytes = handle.bytes;
  block.mapped = pages(handle.bytes);
  block.device = block.foreign = true;
  block.file = ::open(("/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file)).c_str(), O_RDWR | O_CLOEXEC);
  if (block.file < 0 || !map_device(block, out)) return refuse(cudaErrorInvalidValue, "cudaIpcOpenMemHandle", "the memory is not there (freed?)");
  return cudaSuccess;
}

cudaError_t allocate_pinned(void** out, std::size_t bytes) {
  Block block;
  block.bytes = bytes;
  block.mapped = pages(bytes);
  void* memory = ::mmap(nullptr, block.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return refuse(cudaErrorMemoryAllocation, "cudaMallocHost", "no memory");
  block.alias = static_cast<char*>(memory);
  const std::lock_guard lock(blocks().mutex);
  blocks().at[static_cast<const char*>(memory)] = block;
  *out = memory;
  return cudaSuccess;
}

bool free_block(void* memory, bool device, std::string& why) {
  const std::lock_guard lock(blocks().mutex);
  const auto it = blocks().at.find(static_cast<const char*>(memory));
  if (it == blocks().at.end() || it->second.device != device) {
    why = device ? "this is no block of cudaMalloc" : "this is no block of cudaMallocHost";
    return false;
  }
  if (it->second.freed) {
    why = "this block was freed before";
    return false;
  }
  it->second.freed = true;
  if (it->second.file >= 0) ::close(it->second.file);
  // The addresses stay taken, without any right.
  ::mmap(it->second.alias, it->second.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  return true;
}

Access access(const void* address, std::size_t bytes) {
  const std::lock_guard lock(blocks().mutex);
  const auto it = find(address);
  if (it == blocks().at.end()) return {nullptr, false, "the address is neither device nor pinned memory, so the copy would not be asynchronous"};
  const Block& block = it->second;
  if (block.freed) return {nullptr, block.device, "the memory was freed before"};
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - it->first);
  if (offset + bytes > block.bytes) {
    return {nullptr, block.device, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) + " of a block of " + std::to_string(block.bytes)};
  }
  return {block.alias + offset, block.device, {}};
}

void* translate(const void* word, std::string& why) {
  const std::lock_guard lock(blocks().mutex);
  const auto it = find(word);
  if (it == blocks().at.end()) return nullptr;
  if (it->second.freed) why = "it was given memory that has been freed";
  return it->second.device ? it->second.alias + (static_cast<const char*>(word) - it->first) : nullptr;
}

}  // namespace standin

extern "C" void* p2plab_standin_access(const void* address, std::size_t bytes) {
  const auto found = standin::access(address, bytes);
  if (found.at == nullptr) std::fprintf(stderr, "stand-in: NCCL: %s\n", found.why.c_str());
  return found.at;
}
