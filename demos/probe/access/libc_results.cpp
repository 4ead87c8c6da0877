// Functions of the C library that hand a result back through a pointer.
#include <sys/time.h>
#include <sys/types.h>

#include <cstddef>
#include <ctime>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/text.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

void written_text(const char* text, std::size_t limit, void* pc) {
  if (anything_active() && text != nullptr) written_by_call(text, text_size(text, limit), pc);
}

template <class Result>
void written_result(const Result* result, void* pc) {
  if (result != nullptr) written_by_call(result, sizeof *result, pc);
}

}  // namespace

IN_FRONT_OF(char*, getcwd, char* to, std::size_t size) {
  char* const got = next_getcwd(to, size);
  if (to != nullptr) written_text(got, size, CALLER);
  return got;
}
IN_FRONT_OF(char*, realpath, const char* path, char* to) {
  read_text(path, kNoLimit, CALLER);
  char* const got = next_realpath(path, to);
  if (to != nullptr) written_text(got, kNoLimit, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, readlink, const char* path, char* to, std::size_t size) {
  const ssize_t got = next_readlink(path, to, size);
  if (got > 0) written_by_call(to, static_cast<std::size_t>(got), CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, getrandom, void* to, std::size_t size, unsigned flags) {
  const ssize_t got = next_getrandom(to, size, flags);
  if (got > 0) written_by_call(to, static_cast<std::size_t>(got), CALLER);
  return got;
}
IN_FRONT_OF(int, rand_r, unsigned* seed) {
  written_result(seed, CALLER);
  return next_rand_r(seed);
}
IN_FRONT_OF(char*, strtok_r, char* text, const char* separators, char** rest) {
  char* const token = next_strtok_r(text, separators, rest);
  if (token != nullptr) read_text(token, kNoLimit, CALLER);
  return token;
}
IN_FRONT_OF(void, swab, const void* from, void* to, ssize_t size) {
  if (size > 0) {
    read_by_call(from, static_cast<std::size_t>(size), CALLER);
    written_by_call(to, static_cast<std::size_t>(size), CALLER);
  }
  next_swab(from, to, size);
}

IN_FRONT_OF(std::time_t, time, std::time_t* result) {
  written_result(result, CALLER);
  return next_time(result);
}
IN_FRONT_OF(int, gettimeofday, timeval* result, void* zone) {
  written_result(result, CALLER);
  return next_gettimeofday(result, zone);
}
IN_FRONT_OF(int, clock_gettime, clockid_t clock, timespec* result) {
  written_result(result, CALLER);
  return next_clock_gettime(clock, result);
}
IN_FRONT_OF(tm*, localtime_r, const std::time_t* time, tm* result) {
  written_result(result, CALLER);
  return next_localtime_r(time, result);
}
IN_FRONT_OF(tm*, gmtime_r, const std::time_t* time, tm* result) {
  written_result(result, CALLER);
  return next_gmtime_r(time, result);
}
IN_FRONT_OF(std::size_t, strftime, char* to, std::size_t size, const char* format, const tm* time) {
  const std::size_t length = next_strftime(to, size, format, time);
  if (length > 0) written_by_call(to, length + 1, CALLER);
  return length;
}

IN_FRONT_OF(double, modf, double value, double* whole) {
  written_result(whole, CALLER);
  return next_modf(value, whole);
}
IN_FRONT_OF(double, frexp, double value, int* exponent) {
  written_result(exponent, CALLER);
  return next_frexp(value, exponent);
}
IN_FRONT_OF(void, sincos, double angle, double* sine, double* cosine) {
  written_result(sine, CALLER);
  written_result(cosine, CALLER);
  next_sincos(angle, sine, cosine);
}
