/** The daemon did not answer, or stopped in the middle: what a request may be sent again for. */
export class ConnectionLost extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = 'ConnectionLost';
  }
}
