/* Small processes to measure: `hold MB` and `burn MS` hold memory or use CPU, then wait for the end of standard input
   (`burn` does not wait); `reap CMD…` runs a command as a keeper does, as the subreaper of all that it leaves behind. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  if (strcmp(argv[1], "hold") == 0) {
    size_t size = (size_t)atoi(argv[2]) << 20;
    char *memory = malloc(size + 1);
    char byte;
    if (memory == NULL) return 1;
    memset(memory, 1, size);
    while (read(0, &byte, 1) > 0) {
    }
    return memory[size / 2] == 1 ? 0 : 1;
  }
  if (strcmp(argv[1], "burn") == 0) {
    clock_t until = clock() + (clock_t)atoi(argv[2]) * (CLOCKS_PER_SEC / 1000);
    while (clock() < until) {
    }
    return 0;
  }
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 1;
  pid_t pid = fork();
  if (pid == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
