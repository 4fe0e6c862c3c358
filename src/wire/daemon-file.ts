/** What `<state>/daemon.json` says of the daemon in charge. */
export interface DaemonFile {
  readonly pid: number;
  readonly socket: string;
  readonly api: number;
  readonly version: string;
  readonly program: string;
  readonly started_at: number;
}
