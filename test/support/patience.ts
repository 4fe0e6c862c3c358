/** A deadline of a test, longer where the machine is slower than those that it was chosen for: an emulated one by ORCA_TEST_PATIENCE times. */
export const patient = (ms: number): number => ms * Number(process.env['ORCA_TEST_PATIENCE'] ?? 1);
