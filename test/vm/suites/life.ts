/** Where runs live: their cgroups, who makes and removes them, and all that goes on in them. */
import '../cases/keeper.ts';
import '../cases/leftovers.ts';
import '../cases/own-cgroup.ts';
import '../cases/orca.ts';
import '../cases/contained.ts';
import '../cases/control.ts';
import '../cases/ceiling.ts';
import '../cases/real-program.ts';
import '../cases/sample.ts';
import '../cases/metrics.ts';
import '../cases/nested.ts';
import '../cases/set-up.ts';
import '../cases/doctor.ts';
import '../cases/container.ts';
import '../cases/other-scope.ts';
import '../cases/machine-state.ts';
