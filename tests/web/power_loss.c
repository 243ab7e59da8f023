/* Logs what a process writes to the files of a folder, so that a program can rebuild the folder as it may be after a
   power loss: ROOKERY_TRACE names the log, ROOKERY_FOLDER the folder. Load it with LD_PRELOAD.

   A record is a header of eight 64-bit numbers (its kind, CLOCK_MONOTONIC in nanoseconds when the call began and when it
   had returned, two lengths of what follows, an offset, two of zero), the file's path, and then data, or a second path.
   Records are written in the order in which the calls returned, under a lock that is held during the call. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE, SYNC, UNLINK, RENAME, CREATE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -2;
static ssize_t (*real_write)(int, const void *, size_t);

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int inside(const char *path) {
    const char *folder = getenv("ROOKERY_FOLDER");
    return folder && !strncmp(path, folder, strlen(folder));
}

/* Whether a descriptor is of a file in the folder, or of the folder; its path. */
static int watched(int fd, char *path, size_t most) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, most - 1);
    if (length < 0) return 0;
    path[length] = 0;
    char *gone = strstr(path, " (deleted)");
    if (gone) *gone = 0;
    return inside(path);
}

static void note(uint64_t kind, uint64_t began, const char *path, const void *data, uint64_t size, uint64_t offset) {
    if (!real_write) real_write = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (trace == -2) {
        const char *name = getenv("ROOKERY_TRACE");
        REAL(int, open, const char *, int, ...);
        trace = name ? real(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (trace < 0) return;
    uint64_t header[8] = {kind, began, now(), strlen(path), size, offset, 0, 0};
    size_t length = sizeof header + header[3] + (data ? size : 0);
    char *all = malloc(length);
    memcpy(all, header, sizeof header);
    memcpy(all + sizeof header, path, header[3]);
    if (data) memcpy(all + sizeof header + header[3], data, size);
    if (real_write(trace, all, length) != (ssize_t)length) abort();
    free(all);
}

#define WATCH(fd, call, kind, data, size, at) \
    char path[4096]; \
    if (!watched(fd, path, sizeof path)) return call; \
    pthread_mutex_lock(&lock); \
    uint64_t began = now(); \
    __typeof__(call) done = call; \
    if (done >= 0) note(kind, began, path, data, size, at); \
    pthread_mutex_unlock(&lock); \
    return done

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    WATCH(fd, real(fd, data, size), WRITE, data, (uint64_t)done, (uint64_t)(lseek(fd, 0, SEEK_CUR) - done));
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    WATCH(fd, real(fd, data, size, at), WRITE, data, (uint64_t)done, (uint64_t)at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    WATCH(fd, real(fd, data, size, at), WRITE, data, (uint64_t)done, (uint64_t)at);
}

int ftruncate(int fd, off_t size) {
    REAL(int, ftruncate, int, off_t);
    WATCH(fd, real(fd, size), TRUNCATE, NULL, 0, (uint64_t)size);
}

int ftruncate64(int fd, off64_t size) {
    REAL(int, ftruncate64, int, off64_t);
    WATCH(fd, real(fd, size), TRUNCATE, NULL, 0, (uint64_t)size);
}

int fsync(int fd) {
    REAL(int, fsync, int);
    WATCH(fd, real(fd), SYNC, NULL, 0, 0);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    WATCH(fd, real(fd), SYNC, NULL, 0, 0);
}

int unlink(const char *name) {
    REAL(int, unlink, const char *);
    if (!inside(name)) return real(name);
    pthread_mutex_lock(&lock);
    uint64_t began = now();
    int done = real(name);
    if (!done) note(UNLINK, began, name, NULL, 0, 0);
    pthread_mutex_unlock(&lock);
    return done;
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    if (!inside(to)) return real(from, to);
    pthread_mutex_lock(&lock);
    uint64_t began = now();
    int done = real(from, to);
    if (!done) note(RENAME, began, from, to, strlen(to), 0);
    pthread_mutex_unlock(&lock);
    return done;
}

#define OPEN(name) \
    int name(const char *file, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
        va_end(rest); \
        if (!(flags & O_CREAT) || !inside(file)) return real(file, flags, mode); \
        pthread_mutex_lock(&lock); \
        uint64_t began = now(); \
        int there = !access(file, F_OK); \
        int done = real(file, flags, mode); \
        if (done >= 0 && !there) note(CREATE, began, file, NULL, 0, 0); \
        if (done >= 0 && there && (flags & O_TRUNC)) note(TRUNCATE, began, file, NULL, 0, 0); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }

OPEN(open)
OPEN(open64)
