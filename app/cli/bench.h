// What the trace's benchmarks share: each measures, prints a small table for people and the same numbers as JSON.
#pragma once
#include <string>

#include "app/content/text.h"
#include "app/launch/job.h"
#include "app/trace/trace.h"

namespace p2plab::cli {

/// `json` is empty, a file, or "-": then the JSON alone goes to stdout and the table to stderr.
struct BenchOptions {
  std::string json;
  double seconds = 3;
};

/// Cost of recording one span (begin and end) against reading the system clock twice. Exit status 0, or 1 when it costs
/// more.
int bench_record(const content::Text& text, const BenchOptions& options);
/// Four ranks recording a million records a second each into a live reader, then as fast as they can.
/// Exit status 0, or 1 when a record was lost at the stated rate, that rate was not reached, or the count of losses is not exact.
int bench_feed(const content::Text& text, const BenchOptions& options);

/// Jobs of four ranks that are cancelled, or lose a rank by SIGKILL. Exit status 0, or 1 when in the median a cancelled job is not
/// gone within 200 ms, or the last span of a killed rank not seen within 100 ms.
int bench_launch(const content::Text& text, const BenchOptions& options);

/// Cost of one frame of the timeline for ten thousand and a million spans, measured by p2plab-gui, which this process
/// becomes. Exit status 0, or 1 when a frame takes longer than 16 ms.
int bench_frame(const content::Text& text, const BenchOptions& options);

/// A message through the runtime against bare MPI: 8 bytes at most 1.15 times with recording off and 1.25 times with it, 64 KiB
/// at most 1.05 times either way. Exit status 0, or 1 when it costs more.
int bench_pingpong(const content::Text& text, const BenchOptions& options);

/// Actions a second of the virtual clock for several schedules and sizes, with and without contention, and the memory they
/// take. Exit status 0, or 1 when one is slower than promised.
int bench_sim(const content::Text& text, const BenchOptions& options);

/// A ping-pong through the profiling layer against the bare program: 8 bytes at most 1.25 times, 64 KiB at most 1.05 times
/// without hashing. Exit status 0, or 1 when it costs more.
int bench_probe(const content::Text& text, const BenchOptions& options);

/// Send and receive in a ring over bare NCCL, one GPU per rank, 8 bytes to 128 MiB. Exit status 0, or 1 when a byte arrived
/// wrong. Throws Error where there is no NCCL or no GPU.
int bench_nccl(const content::Text& text, const BenchOptions& options);

/// Steps of 1 ms on a GPU's stream, recorded by the runtime, against the same kernels by bare CUDA. Exit status 0, or 1 when
/// recording takes more than 2 % of a step. Throws Error where there is no GPU.
int bench_gpu(const content::Text& text, const BenchOptions& options);

/// What a job records until it ends, read as `p2plab run` reads it.
trace::Trace recording_of(launch::Job& job);

/// Prints `table` for people and writes `json` where the options say.
void print_bench(const BenchOptions& options, const std::string& table, const std::string& json);

}  // namespace p2plab::cli
