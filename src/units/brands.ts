/** Numbers that carry their unit in the type, so that a size is never passed for a time. */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]: Name };

/** A size in bytes. */
export type Bytes = Unit<'Bytes'>;
/** A size in MiB (2^20 bytes); what every `*_MB` setting means. */
export type Mib = Unit<'Mib'>;
/** A duration in milliseconds, or a moment in milliseconds since the epoch. */
export type Millis = Unit<'Millis'>;
/** A run's number: positive, never reused. */
export type RunId = Unit<'RunId'>;

export const bytes = (n: number): Bytes => n as Bytes;
export const mib = (n: number): Mib => n as Mib;
export const millis = (n: number): Millis => n as Millis;
export const runId = (n: number): RunId => n as RunId;

export const bytesOfMib = (size: Mib): Bytes => bytes(size * 1048576);
/** MiB of a size, rounded up: a limit is never below what was asked. */
export const mibOfBytes = (size: Bytes): Mib => mib(Math.ceil(size / 1048576));
