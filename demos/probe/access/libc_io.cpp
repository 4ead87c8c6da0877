// Files and sockets in the C library: what is read from the program's memory and written to it.
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdio>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/text.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

/// `got` bytes arrived; a negative number is an error.
void received(void* memory, ssize_t got, void* pc) {
  if (got > 0) written_by_call(memory, static_cast<std::size_t>(got), pc);
}

void received(const iovec* parts, int count, ssize_t got, void* pc) {
  if (!anything_active()) return;
  for (int i = 0; i < count && got > 0; ++i) {
    const auto part = static_cast<ssize_t>(parts[i].iov_len);
    received(parts[i].iov_base, part < got ? part : got, pc);
    got -= part;
  }
}

void sent(const iovec* parts, int count, void* pc) {
  if (!anything_active()) return;
  for (int i = 0; i < count; ++i) read_by_call(parts[i].iov_base, parts[i].iov_len, pc);
}

}  // namespace

IN_FRONT_OF(ssize_t, read, int file, void* to, std::size_t size) {
  const ssize_t got = next_read(file, to, size);
  received(to, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, pread, int file, void* to, std::size_t size, off_t at) {
  const ssize_t got = next_pread(file, to, size, at);
  received(to, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, pread64, int file, void* to, std::size_t size, off_t at) {
  const ssize_t got = next_pread64(file, to, size, at);
  received(to, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, readv, int file, const iovec* parts, int count) {
  const ssize_t got = next_readv(file, parts, count);
  received(parts, count, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, preadv, int file, const iovec* parts, int count, off_t at) {
  const ssize_t got = next_preadv(file, parts, count, at);
  received(parts, count, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, recvmsg, int socket, msghdr* message, int flags) {
  const ssize_t got = next_recvmsg(socket, message, flags);
  received(message->msg_iov, static_cast<int>(message->msg_iovlen), got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, recv, int socket, void* to, std::size_t size, int flags) {
  const ssize_t got = next_recv(socket, to, size, flags);
  received(to, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, recvfrom, int socket, void* to, std::size_t size, int flags, sockaddr* from, socklen_t* length) {
  const ssize_t got = next_recvfrom(socket, to, size, flags, from, length);
  received(to, got, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, write, int file, const void* from, std::size_t size) {
  read_by_call(from, size, CALLER);
  return next_write(file, from, size);
}
IN_FRONT_OF(ssize_t, pwrite, int file, const void* from, std::size_t size, off_t at) {
  read_by_call(from, size, CALLER);
  return next_pwrite(file, from, size, at);
}
IN_FRONT_OF(ssize_t, pwrite64, int file, const void* from, std::size_t size, off_t at) {
  read_by_call(from, size, CALLER);
  return next_pwrite64(file, from, size, at);
}
IN_FRONT_OF(ssize_t, writev, int file, const iovec* parts, int count) {
  sent(parts, count, CALLER);
  return next_writev(file, parts, count);
}
IN_FRONT_OF(ssize_t, pwritev, int file, const iovec* parts, int count, off_t at) {
  sent(parts, count, CALLER);
  return next_pwritev(file, parts, count, at);
}
IN_FRONT_OF(ssize_t, sendmsg, int socket, const msghdr* message, int flags) {
  sent(message->msg_iov, static_cast<int>(message->msg_iovlen), CALLER);
  return next_sendmsg(socket, message, flags);
}
IN_FRONT_OF(ssize_t, send, int socket, const void* from, std::size_t size, int flags) {
  read_by_call(from, size, CALLER);
  return next_send(socket, from, size, flags);
}
IN_FRONT_OF(ssize_t, sendto, int socket, const void* from, std::size_t size, int flags, const sockaddr* to,
            socklen_t length) {
  read_by_call(from, size, CALLER);
  return next_sendto(socket, from, size, flags, to, length);
}
IN_FRONT_OF(std::size_t, fread, void* to, std::size_t size, std::size_t count, std::FILE* file) {
  const std::size_t got = next_fread(to, size, count, file);
  written_by_call(to, got * size, CALLER);
  return got;
}
IN_FRONT_OF(std::size_t, fwrite, const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  read_by_call(from, size * count, CALLER);
  return next_fwrite(from, size, count, file);
}
IN_FRONT_OF(char*, fgets, char* to, int size, std::FILE* file) {
  char* const got = next_fgets(to, size, file);
  if (got != nullptr && anything_active()) written_by_call(to, text_size(to, static_cast<std::size_t>(size)), CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, getdelim, char** line, std::size_t* size, int last, std::FILE* file) {
  const ssize_t got = next_getdelim(line, size, last, file);
  if (got >= 0) written_by_call(*line, static_cast<std::size_t>(got) + 1, CALLER);
  return got;
}
IN_FRONT_OF(ssize_t, getline, char** line, std::size_t* size, std::FILE* file) {
  const ssize_t got = next_getline(line, size, file);
  if (got >= 0) written_by_call(*line, static_cast<std::size_t>(got) + 1, CALLER);
  return got;
}
IN_FRONT_OF(int, fputs, const char* text, std::FILE* file) {
  read_text(text, ~std::size_t{0}, CALLER);
  return next_fputs(text, file);
}
IN_FRONT_OF(int, puts, const char* text) {
  read_text(text, ~std::size_t{0}, CALLER);
  return next_puts(text);
}
IN_FRONT_OF(void, perror, const char* text) {
  read_text(text, ~std::size_t{0}, CALLER);
  next_perror(text);
}
IN_FRONT_OF(int, gethostname, char* to, std::size_t size) {
  const int code = next_gethostname(to, size);
  if (code == 0 && anything_active()) written_by_call(to, text_size(to, size), CALLER);
  return code;
}
