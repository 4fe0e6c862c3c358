/** All tests that need a real kernel, in one process: in the virtual machine a start of Node costs seconds. See tools/test-vm.ts. */
import './cases/kernel.ts';
import './cases/keeper.ts';
import './cases/leftovers.ts';
import './cases/whose-limit.ts';
import './cases/own-cgroup.ts';
import './cases/orca.ts';
import './cases/contained.ts';
import './cases/kernel-log.ts';
import './cases/reported.ts';
import './cases/machine-out-of-memory.ts';
import './cases/ceiling.ts';
import './cases/held.ts';
import './cases/real-program.ts';
import './cases/nested.ts';
import './cases/mixed-deaths.ts';
