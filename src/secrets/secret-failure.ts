/**
 * Why a secret could not be had, in words that never hold its value. It has no cause: what a source throws may hold what it gave, and a log writes causes.
 */
export class SecretFailure extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'SecretFailure';
  }
}
