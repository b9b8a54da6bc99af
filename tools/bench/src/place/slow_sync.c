/* Makes every sync of a file take two milliseconds at least, as many disks do. Loaded into a process
   before its libraries; see disk.rs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

#define SYNC_NANOSECONDS 2000000L

static int slowly(const char *name, int file) {
  struct timespec began, now, rest;
  clock_gettime(CLOCK_MONOTONIC, &began);
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int outcome = sync(file);
  clock_gettime(CLOCK_MONOTONIC, &now);
  long taken = (now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec;
  if (taken < SYNC_NANOSECONDS) {
    rest.tv_sec = 0;
    rest.tv_nsec = SYNC_NANOSECONDS - taken;
    nanosleep(&rest, NULL);
  }
  return outcome;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
