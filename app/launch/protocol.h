// What the lab and `p2plab-supervise` say to each other: file descriptors, files of the job directory, lines of text.
//
// The lab starts      p2plab-supervise job DIR WALL_MS CPU_MS MEMORY_BYTES PROCESSES PROGRAM ARGUMENT…
// which starts        PROGRAM, that is mpiexec, whose ranks are
//                     p2plab-supervise rank DIR PROGRAM ARGUMENT…
// Where ranks need no MPI, p2plab-supervise ranks N DIR PROGRAM ARGUMENT… stands in for mpiexec.
#pragma once

namespace p2plab::launch::protocol {

/// A socket. The lab writes 'k' to end the job, and end-of-file means that the lab has died. The supervisor writes lines:
///   started                                    or   failed ERRNO   when PROGRAM cannot be executed
///   end REASON STATUS SIGNAL LIMIT MEASURED    nothing is left; STATUS and SIGNAL of PROGRAM, -1 if unknown;
///                                              REASON as below; limits in ms, bytes or processes
constexpr int kLabFd = 3;
/// The locked file DIR/owner: while anybody holds it the directory is not stale.
constexpr int kOwnerFd = 4;

constexpr const char* kFinished = "finished";
constexpr const char* kCancelled = "cancelled";
constexpr const char* kWall = "wall";
constexpr const char* kCpu = "cpu";
constexpr const char* kMemory = "memory";
constexpr const char* kProcesses = "processes";

// Named pipes of the job directory: "out.N" and "err.N" carry what rank N prints, "exits" the lines "RANK STATUS SIGNAL".
constexpr const char* kExitsPipe = "exits";
constexpr const char* kOutPipe = "out.";
constexpr const char* kErrPipe = "err.";

// Exit status of a rank that could not be started, as shells have it.
constexpr int kCannotRun = 127;

}  // namespace p2plab::launch::protocol
