/** The tests that need a machine run by systemd, in one process. See tools/test-vm.ts. */
import './cases/lingering.ts';
import './cases/not-lingering.ts';
import './cases/root.ts';
