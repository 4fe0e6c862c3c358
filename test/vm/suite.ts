/** All tests that need a real kernel, in one process: in the virtual machine a start of Node costs seconds. See tools/test-vm.ts. */
import './suites/life.ts';
import './suites/deaths.ts';
