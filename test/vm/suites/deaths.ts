/** How runs die, and what is said of it. */
import '../cases/kernel.ts';
import '../cases/whose-limit.ts';
import '../cases/kernel-log.ts';
import '../cases/reported.ts';
import '../cases/machine-out-of-memory.ts';
import '../cases/held.ts';
import '../cases/hanging.ts';
import '../cases/mixed-deaths.ts';
