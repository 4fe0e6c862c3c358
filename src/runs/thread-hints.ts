/**
 * By what libraries and build tools are told how many threads to use, where too many or too few do no harm. Not among them: MAKEFLAGS (a `-j`
 * breaks makefiles that are not made for it), UV_THREADPOOL_SIZE, NUMBA_NUM_THREADS and NUMEXPR_MAX_THREADS (programs that need
 * more stall or fail).
 */
export const threadVariables = [
  'OMP_NUM_THREADS',
  'OPENBLAS_NUM_THREADS',
  'MKL_NUM_THREADS',
  'BLIS_NUM_THREADS',
  'VECLIB_MAXIMUM_THREADS',
  'NUMEXPR_NUM_THREADS',
  'POLARS_MAX_THREADS',
  'LOKY_MAX_CPU_COUNT',
  'PYTHON_CPU_COUNT',
  'RAYON_NUM_THREADS',
  'GOMAXPROCS',
  'JULIA_NUM_THREADS',
  'CARGO_BUILD_JOBS',
  'CMAKE_BUILD_PARALLEL_LEVEL',
] as const;

/** Whole threads for a number of cpus. */
export const threadsOf = (cpusMilli: number): number => Math.max(1, Math.ceil(cpusMilli / 1000));
