/* hog: uses memory in a way that a test asks for, and holds it for MS milliseconds.
 *   hog hold MB MS           memory of its own
 *   hog children N MB MS     the same in each of N children
 *   hog shared N MB MS       one mapping of MB, touched by itself and by N children
 *   hog cache FILE MB MS     MB written to a file and read back, none of its own
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t mib = 1048576;

static void hold(const char *ms) {
	const long wait = atol(ms);
	struct timespec time = {wait / 1000, wait % 1000 * 1000000};
	while (nanosleep(&time, &time) != 0) {
	}
}

static volatile char *touched(size_t size, int flags) {
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(9);
	memset(memory, 7, size);
	return memory;
}

static int wait_for_children(void) {
	int status, worst = 0;
	while (wait(&status) > 0) {
		if (status != 0)
			worst = 1;
	}
	return worst;
}

static int children(int count, size_t size, const char *ms) {
	for (int child = 0; child < count; child++) {
		if (fork() == 0) {
			touched(size, MAP_PRIVATE);
			hold(ms);
			_exit(0);
		}
	}
	return wait_for_children();
}

static int shared(int count, size_t size, const char *ms) {
	volatile char *memory = touched(size, MAP_SHARED);
	for (int child = 0; child < count; child++) {
		if (fork() == 0) {
			for (size_t at = 0; at < size; at += 4096)
				(void)memory[at];
			hold(ms);
			_exit(0);
		}
	}
	return wait_for_children();
}

static int cache(const char *path, size_t size, const char *ms) {
	static char block[65536];
	const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (size_t at = 0; at < size; at += sizeof block) {
		if (write(file, block, sizeof block) != (ssize_t)sizeof block)
			return 8;
	}
	lseek(file, 0, SEEK_SET);
	while (read(file, block, sizeof block) > 0) {
	}
	hold(ms);
	return 0;
}

int main(int argc, char **argv) {
	const char *mode = argc > 1 ? argv[1] : "";
	if (strcmp(mode, "hold") == 0 && argc == 4) {
		touched((size_t)atol(argv[2]) * mib, MAP_PRIVATE);
		hold(argv[3]);
		return 0;
	}
	if (strcmp(mode, "children") == 0 && argc == 5)
		return children(atoi(argv[2]), (size_t)atol(argv[3]) * mib, argv[4]);
	if (strcmp(mode, "shared") == 0 && argc == 5)
		return shared(atoi(argv[2]), (size_t)atol(argv[3]) * mib, argv[4]);
	if (strcmp(mode, "cache") == 0 && argc == 5)
		return cache(argv[2], (size_t)atol(argv[3]) * mib, argv[4]);
	return 2;
}
