/* A disk that fails when it is told to, and that writes down what it is given. Loaded into a process before
   its libraries; see library.rs. Only the files beneath DISK_UNDER are its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3 };
enum { DATABASE = 1, LOG = 2, INDEX = 3, OTHER = 4 };

/* What fails, shared with the test. */
struct faults {
  int64_t successes_left; /* so many more writes and syncs succeed */
  int64_t write_error;    /* then each of these fails with this error; 0: it does not */
  int64_t sync_error;
  int64_t only_file; /* DATABASE, LOG, INDEX, or 0 for any */
  int64_t failures;  /* how many did */
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct faults *faults;
static int record = -1;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("DISK_FAULTS");
  int (*open_file)(const char *, int, ...) = (int (*)(const char *, int, ...))next("open");
  if (path) {
    int file = open_file(path, O_RDWR);
    void *shared = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    faults = shared == MAP_FAILED ? NULL : shared;
  }
  path = getenv("DISK_RECORD");
  if (path) record = open_file(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int which(int file) {
  char link[64], path[4096];
  const char *under = getenv("DISK_UNDER");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (!under || length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, under, strlen(under))) return 0;
  if (length > 3 && !strcmp(path + length - 3, ".db")) return DATABASE;
  if (length > 4 && !strcmp(path + length - 4, "-wal")) return LOG;
  if (length > 4 && !strcmp(path + length - 4, "-shm")) return INDEX;
  return OTHER;
}

/* The error of this write or sync, or 0. */
static int error_of(int kind, int file) {
  if (!faults || (faults->only_file && faults->only_file != file)) return 0;
  int64_t error = kind == SYNC ? faults->sync_error : faults->write_error;
  if (!error) return 0;
  if (faults->successes_left > 0) {
    faults->successes_left -= 1;
    return 0;
  }
  faults->failures += 1;
  return (int)error;
}

static void write_down(int kind, int file, uint64_t offset, const void *bytes, uint64_t length) {
  if (record < 0) return;
  ssize_t (*write_bytes)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))next("write");
  uint64_t head[4] = {(uint64_t)kind, (uint64_t)file, offset, length};
  int saved = errno;
  if (write_bytes(record, head, sizeof head) != sizeof head) abort();
  if (kind == WRITE && write_bytes(record, bytes, length) != (ssize_t)length) abort();
  errno = saved;
}

static ssize_t write_at(const char *name, int file, const void *bytes, size_t length, off_t offset) {
  ssize_t (*original)(int, const void *, size_t, off_t) = (ssize_t(*)(int, const void *, size_t, off_t))next(name);
  int kind = which(file);
  if (!kind) return original(file, bytes, length, offset);
  pthread_mutex_lock(&turn);
  int error = error_of(WRITE, kind);
  ssize_t outcome = -1;
  if (error) {
    /* A disk that fills takes a part. */
    if (error == ENOSPC && length > 1) {
      ssize_t part = original(file, bytes, length / 2, offset);
      if (part > 0) write_down(WRITE, kind, (uint64_t)offset, bytes, (uint64_t)part);
    }
    errno = error;
  } else {
    outcome = original(file, bytes, length, offset);
    if (outcome > 0) write_down(WRITE, kind, (uint64_t)offset, bytes, (uint64_t)outcome);
  }
  pthread_mutex_unlock(&turn);
  return outcome;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  return write_at("pwrite", file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  return write_at("pwrite64", file, bytes, length, offset);
}

ssize_t write(int file, const void *bytes, size_t length) {
  ssize_t (*original)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))next("write");
  if (!which(file)) return original(file, bytes, length);
  off_t offset = lseek(file, 0, SEEK_CUR);
  ssize_t outcome = write_at("pwrite", file, bytes, length, offset);
  if (outcome > 0) lseek(file, offset + outcome, SEEK_SET);
  return outcome;
}

static int cut(const char *name, int file, off_t length) {
  int (*original)(int, off_t) = (int (*)(int, off_t))next(name);
  int kind = which(file);
  if (!kind) return original(file, length);
  pthread_mutex_lock(&turn);
  int outcome = original(file, length);
  if (!outcome) write_down(TRUNCATE, kind, (uint64_t)length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return outcome;
}

int ftruncate(int file, off_t length) { return cut("ftruncate", file, length); }
int ftruncate64(int file, off64_t length) { return cut("ftruncate64", file, length); }

static int sync_file(const char *name, int file) {
  int (*original)(int) = (int (*)(int))next(name);
  int kind = which(file);
  if (!kind) return original(file);
  pthread_mutex_lock(&turn);
  int error = error_of(SYNC, kind), outcome = -1;
  if (error) {
    errno = error;
  } else {
    outcome = original(file);
    if (!outcome) write_down(SYNC, kind, 0, NULL, 0);
  }
  pthread_mutex_unlock(&turn);
  return outcome;
}

int fsync(int file) { return sync_file("fsync", file); }
int fdatasync(int file) { return sync_file("fdatasync", file); }
