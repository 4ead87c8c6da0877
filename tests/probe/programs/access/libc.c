/* Functions of the C library that read and write the program's buffers. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "access_shim.h"

static char r[64] = "12 text"; /* received into: neither read nor written */
static char s[64] = "34 sent"; /* sent from: not written */
static char own[256];
static int table[4] = {3, 1, 2, 0};

static int compare(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b; /* ! access_read 3 */
}

static void memory(void) {
  memcpy(own, r, 8);                 /* ! access_read 1 */
  memcpy(r, own, 8);                 /* ! access_write 1 */
  memcpy(own, s, 8);
  memcpy(s, own, 8);                 /* ! access_write 2 */
  memcpy(own, r, 0);
  memmove(r + 1, r, 4);              /* ! access_read 1 ! access_write 1 */
  mempcpy(own, r, 1);                /* ! access_read 1 */
  memset(r, 0, 1);                   /* ! access_write 1 */
  memset(s, '3', 1);                 /* ! access_write 2 */
  bzero(r, 1);                       /* ! access_write 1 */
  bcopy(own, r, 1);                  /* ! access_write 1 */
  own[0] += (char)memcmp(own, r, 3); /* ! access_read 1 */
  own[0] += (char)bcmp(own, r, 3);   /* ! access_read 1 */
  own[0] += memchr(r, 'x', 9) != 0;  /* ! access_read 1 */
  own[0] += memcmp(own, s, 3) == 0;
  memccpy(own, r, 'q', 3);           /* ! access_read 1 */
  memccpy(r, own, 'q', 3);           /* ! access_write 1 */
  own[0] += memrchr(r, 'q', 9) != 0; /* ! access_read 1 */
  own[0] += memmem(r, 9, "q", 1) != 0; /* ! access_read 1 */
  own[0] += memmem("abc", 3, s, 2) != 0;
  own[0] += rawmemchr(r, 0) != 0;    /* ! access_read 1 */
  qsort(table, 4, sizeof table[0], compare); /* ! access_write 3 */
}

static void text(void) {
  own[0] += (char)strlen(r);         /* ! access_read 1 */
  own[0] += (char)strlen(s);
  own[0] += (char)strnlen(r, 2);     /* ! access_read 1 */
  strcpy(own, r);                    /* ! access_read 1 */
  strcpy(r, "x");                    /* ! access_write 1 */
  strcpy(s, "34 x");                 /* ! access_write 2 */
  stpcpy(own, r);                    /* ! access_read 1 */
  strncpy(own, r, 9);                /* ! access_read 1 */
  strncpy(s, "34", 9);               /* ! access_write 2 */
  own[0] = 0;
  strcat(own, r);                    /* ! access_read 1 */
  strcat(s, "x");                    /* ! access_write 2 */
  strncat(own, r, 3);                /* ! access_read 1 */
  own[0] += (char)strcmp(r, own);    /* ! access_read 1 */
  own[0] += (char)strncmp(own, r, 4);     /* ! access_read 1 */
  own[0] += (char)strcasecmp(own, r);     /* ! access_read 1 */
  own[0] += (char)strncasecmp(r, own, 3); /* ! access_read 1 */
  own[0] += (char)strcmp(s, own);
  own[0] += strchr(r, 'q') != 0;     /* ! access_read 1 */
  own[0] += strrchr(r, 'q') != 0;    /* ! access_read 1 */
  own[0] += strstr(r, "q") != 0;     /* ! access_read 1 */
  own[0] += (char)strspn(r, "q");    /* ! access_read 1 */
  own[0] += (char)strcspn(r, "q");   /* ! access_read 1 */
  own[0] += strcasestr(r, "q") != 0; /* ! access_read 1 */
  own[0] += *strchrnul(r, 'q') != 0; /* ! access_read 1 */
  own[0] += strpbrk(r, "qx") != 0;   /* ! access_read 1 */
  own[0] += strpbrk("abc", s) != 0;
  own[0] += (char)strcoll(own, r);   /* ! access_read 1 */
  own[0] += (char)strxfrm(own, r, 9);     /* ! access_read 1 */
  stpncpy(own, r, 9);                /* ! access_read 1 */
  stpncpy(s, "34", 9);               /* ! access_write 2 */
  char* rest = r;
  own[0] += strsep(&rest, "q") != 0; /* ! access_read 1 */
  free(strdup(r));                   /* ! access_read 1 */
  free(strndup(r, 2));               /* ! access_read 1 */
  own[0] += (char)atoi(r);           /* ! access_read 1 */
  own[0] += (char)atol(r);           /* ! access_read 1 */
  own[0] += (char)atof(r);           /* ! access_read 1 */
  own[0] += (char)strtol(r, 0, 10);  /* ! access_read 1 */
  own[0] += (char)strtoul(r, 0, 10); /* ! access_read 1 */
  own[0] += (char)strtod(r, 0);      /* ! access_read 1 */
  own[0] += (char)(atoi("1") + atoi(s));
}

static void files(void) {
  int ends[2];
  struct iovec parts[2] = {{own, 2}, {r, 4}};
  if (pipe(ends) != 0) exit(1);
  if (write(ends[1], r, 8) != 8) exit(1);         /* ! access_read 1 */
  if (write(ends[1], s, 8) != 8) exit(1);
  if (read(ends[0], r, 8) != 8) exit(1);          /* ! access_write 1 */
  if (read(ends[0], s, 8) != 8) exit(1);          /* ! access_write 2 */
  if (writev(ends[1], parts, 2) != 6) exit(1);    /* ! access_read 1 */
  if (readv(ends[0], parts, 1) != 2) exit(1);
  if (readv(ends[0], parts, 2) != 4) exit(1);     /* ! access_write 1 */
  struct msghdr message = {0};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) exit(1);
  if (send(ends[0], r, 8, 0) != 8) exit(1);       /* ! access_read 1 */
  if (sendto(ends[0], r, 8, 0, 0, 0) != 8) exit(1); /* ! access_read 1 */
  if (recv(ends[1], r, 8, 0) != 8) exit(1);       /* ! access_write 1 */
  if (recvfrom(ends[1], s, 8, 0, 0, 0) != 8) exit(1); /* ! access_write 2 */
  if (sendmsg(ends[0], &message, 0) != 6) exit(1); /* ! access_read 1 */
  if (recvmsg(ends[1], &message, 0) != 6) exit(1); /* ! access_write 1 */
  FILE* file = tmpfile();
  fwrite(r, 1, 8, file);                          /* ! access_read 1 */
  fwrite("ab\ncd\n", 1, 6, file);
  fputs(r, file);                                 /* ! access_read 1 */
  rewind(file);
  if (fread(r, 1, 8, file) != 8) exit(1);         /* ! access_write 1 */
  if (fgets(s, 9, file) == 0) exit(1);            /* ! access_write 2 */
  if (pwrite(fileno(file), r, 4, 0) != 4) exit(1); /* ! access_read 1 */
  if (pread(fileno(file), s, 4, 0) != 4) exit(1); /* ! access_write 2 */
  if (pwritev(fileno(file), parts, 2, 0) != 6) exit(1); /* ! access_read 1 */
  if (preadv(fileno(file), parts, 2, 0) != 6) exit(1);  /* ! access_write 1 */
  char* line = s;
  size_t room = sizeof s;
  rewind(file);
  fputs("ab\ncd;", file);
  rewind(file);
  if (getline(&line, &room, file) != 3) exit(1);        /* ! access_write 2 */
  if (getdelim(&line, &room, ';', file) != 3) exit(1);  /* ! access_write 2 */
  fclose(file);
}

static void formats(void) {
  int number = 0, received = 0;
  char word[8];
  start_receive(4, &received, sizeof received);
  strcpy(own, "56 word");
  deliver(r, 'r', 5);
  deliver(r + 5, 0, 1);
  printf("%d %s %%\n", number, r);                /* ! access_read 1 */
  printf("%d %s %5.2f %c\n", number, s, 1.5, 'c');
  printf("%.*s %-8s\n", 3, "abc", r);             /* ! access_read 1 */
  fprintf(stdout, "%ld %Lf %s\n", 3l, 2.5L, r);   /* ! access_read 1 */
  fprintf(stdout, "%d\n", received);              /* ! access_read 4 */
  sprintf(own, "%s", r);                          /* ! access_read 1 */
  sprintf(s, "%d", 34);                           /* ! access_write 2 */
  snprintf(r, 4, "%d", 123456);                   /* ! access_write 1 */
  char* made = 0;
  if (asprintf(&made, "%s", r) < 0) exit(1);      /* ! access_read 1 */
  free(made);
  snprintf(own, sizeof own, "%s %s", s, r);       /* ! access_read 1 */
  dprintf(1, "%.2s\n", r);                        /* ! access_read 1 */
  printf("abc%n\n", &received);                   /* ! access_write 4 */
  puts(r);                                        /* ! access_read 1 */
  sscanf("77 word", "%d %7s", &received, word);   /* ! access_write 4 */
  sscanf("77 word", "%d %7s", &number, s);        /* ! access_write 2 */
  sscanf("77 word", "%*d %c", r);                 /* ! access_write 1 */
  sscanf("none", "%d", &received);
  sscanf(s, "%d", &number);
  sscanf(r, "%d", &number);                       /* ! access_read 1 */
  complete(4);
}

static void wide(void) {
  wchar_t got[8] = {0}, mine[8] = {0};
  start_receive(9, got, sizeof got);
  wmemcpy(mine, got, 8);                          /* ! access_read 9 */
  wmemmove(got, mine, 8);                         /* ! access_write 9 */
  wmemset(got, 0, 2);                             /* ! access_write 9 */
  own[0] += (char)wmemcmp(mine, got, 2);          /* ! access_read 9 */
  own[0] += (char)wcslen(got);                    /* ! access_read 9 */
  wcscpy(mine, got);                              /* ! access_read 9 */
  own[0] += (char)wcscmp(got, mine);              /* ! access_read 9 */
  complete(9);
  own[0] += (char)wcslen(got);
}

static void results(void) {
  time_t now = 0;
  struct timespec precise = {0, 0};
  double whole = 0;
  unsigned seed = 1;
  start_receive(5, &now, sizeof now);
  start_receive(6, &precise, sizeof precise);
  start_receive(7, &whole, sizeof whole);
  start_send(8, &seed, sizeof seed);
  if (getcwd(r, sizeof r) == 0) exit(1);          /* ! access_write 1 */
  time(&now);                                     /* ! access_write 5 */
  clock_gettime(CLOCK_MONOTONIC, &precise);       /* ! access_write 6 */
  modf(2.5, &whole);                              /* ! access_write 7 */
  rand_r(&seed);                                  /* ! access_write 8 */
  complete(5);
  strftime(s, 5, "%Y", gmtime(&now));             /* ! access_write 2 */
  complete(6);
  complete(7);
  complete(8);
  time(&now);
}

int access_test_main(void) {
  start_receive(1, r, sizeof r);
  start_send(2, s, sizeof s);
  start_receive(3, table, sizeof table);
  memory();
  text();
  files();
  formats();
  wide();
  results();
  complete(1);
  complete(2);
  complete(3);
  printf("%s %s\n", r, s);
  memset(r, 0, sizeof r);
  qsort(table, 4, sizeof table[0], compare);
  return 0;
}
int main(void) { return access_test_main(); }
