/* eat: uses memory, files and processes step by step, as its words say. Static and small: a start of it costs a slow virtual
 * machine nothing, where one Node process costs three seconds.
 *   rate SIZE        from here on memory is touched, and files are written, no faster than SIZE a second
 *   anon SIZE        SIZE of memory of its own, touched and kept
 *   shared SIZE      the same, and what `fork` makes shares it
 *   keep FILE        FILE mapped as a program's text is, to be read, and kept
 *   again            everything that `anon`, `shared` and `keep` gave is touched once more
 *   free             all of that is given back
 *   random N         N pages of it, anywhere
 *   write FILE SIZE  SIZE written to FILE
 *   read FILE        FILE read to its end
 *   map FILE         FILE mapped, each page of it read once, and unmapped
 *   crowd            memory of its own until the kernel has killed something for memory, anywhere; at most for 4 minutes
 *   mark DIR NAME VALUE   an extended attribute of DIR
 *   fork N           N children do the rest; it waits for them and ends with 0 when all of them did, else with 5
 *   leave N          N children do the rest; it says `left N` and ends with 0 at once
 *   setsid           leaves its session
 *   say WORD         WORD on standard output
 *   clock            the clock, in seconds since 1970, on standard output
 *   wait FILE        waits until FILE is there
 *   ms N             sleeps N milliseconds
 *   loop             does the steps from here on again and again
 *   hold             stays for ever
 *   exit N, signal N ends with the code, or by the signal
 * Sizes are bytes, or end in K, M or G. Bad words end it with 2, an error of the system with 9. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { page = 4096, block_size = 65536, areas_at_most = 64 };

struct area { volatile char *at; size_t size; int writable; };
static struct area areas[areas_at_most];
static int area_count;
static size_t rate;
static volatile char sink;

static void fail(const char *what) {
	perror(what);
	_exit(9);
}

static void misuse(const char *word) {
	fprintf(stderr, "eat: cannot do '%s'\n", word);
	_exit(2);
}

static long number(const char *text) {
	char *end;
	const long value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || value < 0)
		misuse(text);
	return value;
}

static size_t size_of(const char *text) {
	static const char units[] = "KMG";
	char *end;
	size_t value = strtoul(text, &end, 10);
	const char *unit = *end == '\0' ? NULL : strchr(units, *end);
	if (end == text || (*end != '\0' && (unit == NULL || end[1] != '\0')))
		misuse(text);
	for (long power = unit == NULL ? 0 : unit - units + 1; power > 0; power--)
		value *= 1024;
	return value;
}

static void nap(long ms) {
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&time, &time) != 0) {
	}
}

static double now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Sleeps as long as `done` bytes since `begun` are ahead of the rate. */
static void keep_rate(size_t done, double begun) {
	const double ahead = rate == 0 ? 0 : (double)done / (double)rate - (now() - begun);
	if (ahead > 0.001)
		nap((long)(ahead * 1000));
}

static void touch_page(const struct area *area, size_t at) {
	if (area->writable)
		area->at[at] = (char)(area->at[at] + 1);
	else
		sink = area->at[at];
}

static void touch(const struct area *area) {
	const double begun = now();
	for (size_t at = 0; at < area->size; at += page) {
		touch_page(area, at);
		if (at % block_size == 0)
			keep_rate(at, begun);
	}
}

static void touch_anywhere(long count) {
	static unsigned seed = 1;
	size_t size = 0;
	for (int area = 0; area < area_count; area++)
		size += areas[area].size;
	if (size == 0)
		misuse("random");
	while (count-- > 0) {
		seed = seed * 1664525u + 1013904223u;
		size_t at = (size_t)((double)seed / 4294967296.0 * (double)size);
		const struct area *area = areas;
		for (; at >= area->size; area++)
			at -= area->size;
		touch_page(area, at);
	}
}

static const struct area *kept(void *memory, size_t size, int writable) {
	if (memory == MAP_FAILED || area_count == areas_at_most)
		fail("no memory");
	areas[area_count] = (struct area){memory, size, writable};
	return &areas[area_count++];
}

static void anon(size_t size, int sharing) {
	const int flags = sharing | MAP_ANONYMOUS | MAP_NORESERVE;
	touch(kept(mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0), size, 1));
}

static void give_back(void) {
	for (; area_count > 0; area_count--)
		munmap((void *)areas[area_count - 1].at, areas[area_count - 1].size);
}

static int opened(const char *path, int flags) {
	const int file = open(path, flags | O_CLOEXEC, 0600);
	if (file < 0)
		fail(path);
	return file;
}

static void keep_file(const char *path) {
	const int file = opened(path, O_RDONLY);
	struct stat about;
	if (fstat(file, &about) != 0)
		fail(path);
	const size_t size = (size_t)about.st_size;
	kept(mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0), size, 0);
	close(file);
}

static void write_file(const char *path, size_t size) {
	static char block[block_size];
	const int file = opened(path, O_WRONLY | O_CREAT | O_TRUNC);
	const double begun = now();
	for (size_t at = 0; at < size; at += sizeof block) {
		if (write(file, block, sizeof block) != (ssize_t)sizeof block)
			fail(path);
		keep_rate(at, begun);
	}
	close(file);
}

static void read_file(const char *path) {
	static char block[block_size];
	const int file = opened(path, O_RDONLY);
	while (read(file, block, sizeof block) > 0) {
	}
	close(file);
}

static void map_file(const char *path) {
	const int file = opened(path, O_RDONLY);
	struct stat about;
	if (fstat(file, &about) != 0)
		fail(path);
	char *memory = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED)
		fail(path);
	for (off_t at = 0; at < about.st_size; at += page)
		sink = memory[at];
	munmap(memory, (size_t)about.st_size);
	close(file);
}

/* The number after a word, which begins with the end of the line before; -1 when there is none. */
static long number_in(const char *path, const char *word) {
	static char text[1 << 15];
	const int file = opened(path, O_RDONLY);
	size_t length = 0;
	for (ssize_t n; (n = read(file, text + length, sizeof text - 1 - length)) > 0;)
		length += (size_t)n;
	close(file);
	text[length] = '\0';
	const char *line = strstr(text, word);
	return line == NULL ? -1 : strtol(line + strlen(word), NULL, 10);
}

static char *pages(size_t size) {
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		fail("crowd");
	return memory;
}

static long kills_for_memory(void) {
	return number_in("/proc/vmstat", "\noom_kill ");
}

/* In big steps while there is room, then in little ones: the first that is killed must be the last. */
static void crowd(void) {
	const size_t big = 32 << 20, little = 64 << 10;
	const long before = kills_for_memory();
	if (before < 0)
		fail("oom_kill");
	alarm(240);
	while (kills_for_memory() == before) {
		const int room = number_in("/proc/meminfo", "\nMemFree:") > 96 << 10;
		const size_t size = room ? big : little;
		char *memory = pages(size);
		if (room)
			madvise(memory, size, MADV_HUGEPAGE);
		for (size_t at = 0; at < size; at += page)
			memory[at] = 1;
	}
	exit(0);
}

/* Comes back in the children only. */
static void with_children(long count, int stays) {
	for (long child = 0; child < count; child++) {
		const pid_t pid = fork();
		if (pid < 0)
			fail("fork");
		if (pid == 0)
			return;
	}
	if (!stays) {
		printf("left %ld\n", count);
		exit(0);
	}
	int status, worst = 0;
	while (wait(&status) > 0) {
		if (status != 0)
			worst = 5;
	}
	exit(worst);
}

/* Does the step at `words`; gives how many words it took. `loop` is main's. */
static int step(char **words) {
	const char *word = words[0], *operand = words[1];
	if (strcmp(word, "setsid") == 0) {
		setsid();
		return 1;
	}
	if (strcmp(word, "again") == 0) {
		for (int area = 0; area < area_count; area++)
			touch(&areas[area]);
		return 1;
	}
	if (strcmp(word, "free") == 0) {
		give_back();
		return 1;
	}
	if (strcmp(word, "crowd") == 0)
		crowd();
	if (strcmp(word, "clock") == 0) {
		struct timespec time;
		clock_gettime(CLOCK_REALTIME, &time);
		printf("%lld.%09ld\n", (long long)time.tv_sec, time.tv_nsec);
		return 1;
	}
	if (strcmp(word, "hold") == 0) {
		for (;;)
			pause();
	}
	if (operand == NULL)
		misuse(word);
	if (strcmp(word, "rate") == 0)
		rate = size_of(operand);
	else if (strcmp(word, "anon") == 0)
		anon(size_of(operand), MAP_PRIVATE);
	else if (strcmp(word, "shared") == 0)
		anon(size_of(operand), MAP_SHARED);
	else if (strcmp(word, "read") == 0)
		read_file(operand);
	else if (strcmp(word, "map") == 0)
		map_file(operand);
	else if (strcmp(word, "keep") == 0)
		keep_file(operand);
	else if (strcmp(word, "random") == 0)
		touch_anywhere(number(operand));
	else if (strcmp(word, "fork") == 0 || strcmp(word, "leave") == 0)
		with_children(number(operand), word[0] == 'f');
	else if (strcmp(word, "say") == 0)
		puts(operand);
	else if (strcmp(word, "ms") == 0)
		nap(number(operand));
	else if (strcmp(word, "exit") == 0)
		exit((int)number(operand));
	else if (strcmp(word, "signal") == 0)
		kill(getpid(), (int)number(operand));
	else if (strcmp(word, "wait") == 0) {
		while (access(operand, F_OK) != 0)
			nap(20);
	} else if (strcmp(word, "mark") == 0 && words[2] != NULL && words[3] != NULL) {
		if (setxattr(operand, words[2], words[3], strlen(words[3]), 0) != 0)
			fail(operand);
		return 4;
	} else if (strcmp(word, "write") == 0 && words[2] != NULL) {
		write_file(operand, size_of(words[2]));
		return 3;
	} else
		misuse(word);
	return 2;
}

int main(int argc, char **argv) {
	int from = 0;
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int at = 1; at < argc;) {
		if (strcmp(argv[at], "loop") == 0)
			from = ++at;
		else
			at += step(argv + at);
		if (at >= argc && from > 0 && from < argc)
			at = from;
	}
	return 0;
}
