/** Who says what a start used: the samples of its tree, or `wait4` of its command at the end. Programs may meet others later. */
export type UsageSource = 'samples' | 'wait4';
