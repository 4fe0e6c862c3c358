/**
 * What travels between a client and the daemon: JSON shapes, paths and headers of API 1.
 * Sizes are bytes, times are milliseconds since the epoch, durations milliseconds; unknown is null.
 *
 *   GET  /api/daemon                      DaemonJson
 *   POST /api/daemon/{up,down,restart}    DownRequest?        → DaemonJson
 *   GET  /api/machine                                          → MachineJson
 *   POST /api/runs                        SubmitRequest       → SubmitAnswer
 *   GET  /api/runs?state=&limit=&before=  state many          → { runs: RunSummaryJson[] }
 *   GET  /api/runs/:run                                       → RunJson
 *   GET  /api/groups/:group                                   → GroupJson
 *   GET  /api/du                                              → DiskUseJson
 *   POST /api/gc                          GcRequest           → GcAnswer
 *   POST /api/kill                        KillRequest         → { runs: KillAnswer[] }
 *   POST /api/pause                       PauseRequest        → PauseAnswer
 *   POST /api/resume                      ResumeRequest       → PauseAnswer
 *   POST /api/runs/:run/retry             RetryRequest        → RetryAnswer
 *   POST /api/retry                       RetryRunsRequest    → RetryRunsAnswer
 *   POST /api/runs/:run/forget                            → ForgetAnswer
 *   POST /api/runs/:run/detach            { owner }           → {}
 *   POST /api/choose                      ChooseRequest       → { runs: number[] }, what groups and tags stand for
 *   POST /api/wait                        WaitRequest         → application/x-ndjson, WaitEvent a line
 *   GET  /api/runs/:run/logs?stream=&start=&offset=&tail=&since_ms=&follow=1   → raw bytes
 *        stream stdout (default) or stderr; start defaults to the last; offset in bytes, or tail in lines, or since_ms, a moment;
 *        follow: until that start is over and all is read. Header `orca-start` names the start, `orca-offset` where the bytes begin.
 *        With since_ms, `orca-after` is a moment after which all of them were written: earlier than asked for where that is not known exactly.
 *   GET  /api/runs/:run/metrics                                → application/x-ndjson, a sample a line (docs/sample.md)
 *   GET  /api/events?since=ID             text/event-stream, EventJson each
 *   GET  /api/config                                          → SettingJson[]
 *
 * Every request carries `orca-api: 1` and `orca-program: <version> <build time, ms> <entry file>`. Errors are ErrorJson.
 */
export { apiNumber } from './daemon.ts';
export type * from './daemon.ts';
export type * from './machine.ts';
export type * from './submission.ts';
export type * from './run.ts';
export type * from './choosing.ts';
export type * from './keeping.ts';
export type * from './waiting.ts';
