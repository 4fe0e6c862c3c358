import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textWidth } from '../../../src/cli/table.ts';
import { bar } from '../../../src/cli/top-bar.ts';
import { topPicture, topScreen } from '../../../src/cli/top-screen.ts';
import { firstState, shareRows, shownRuns, windowStart, type TopState } from '../../../src/cli/top-state.ts';
import { buildMachine, buildQueued, buildRunning, buildSample } from './build-machine.ts';

const mb = 1048576;
const usual = { columns: 80, rows: 24 };

const busy = buildMachine({
  running: [
    buildRunning(12, { name: 'nightly', cgroup_bytes: 380 * mb, stall_percent: 3.2 }),
    buildRunning(13, { rss_bytes: 1.5 * mb, limit_bytes: null, cores: 0, argv: ['sleep', '1000'] }),
    buildRunning(14, { started_at: null, rss_bytes: null, cores: null }),
    buildRunning(15, {
      rss_bytes: 384 * mb,
      cores: 3.96,
      reason: 'held at its limit of 384 MB for 5 s, waiting for memory',
    }),
  ],
  queued: [
    buildQueued(16, { reason: 'needs 2 cores; 0 cores of 4 cores free; held by runs 12, 13, 14 and 1 more' }),
    buildQueued(17, { name: 'a long name of a run that waits', submitted_at: Date.UTC(2026, 10, 30, 7) }),
  ],
});
const textOf = (state: TopState, size = usual): string =>
  topScreen(state, size)
    .map(({ text }) => text)
    .join('\n');
const stateOf = (changes: Partial<TopState>): TopState => ({ ...firstState, ...changes });

test('the screen of a busy machine at 80 x 24', () => {
  assert.equal(
    textOf(stateOf({ machine: busy, chosen: 13 })),
    `box: 4 running, 2 queued   budget 4 cpus, 7372 MB   load 1.35 1.00 0.48
cpu [#########......] 65 %   memory [###............] 2048 MB of 8192 MB
waits: cpu  3 %  memory  0 %  io 12 %   fullest disk 80 % (/state)
  RUN  MEMORY  OF LIMIT     LIMIT  CORES  STALL      TIME  4 running
   12  312 MB  [######+.]  384 MB    1.0    3 %        1m  nightly: xz -9 'part…
>  13  1.5 MB                   -    0.0      -        1m  sleep 1000
   14                      384 MB             -  starting  xz -9 'part 14'
   15  384 MB  [########]  384 MB    4.0      -        1m  held at its limit of…
  RUN   WAITS  2 queued                  WHY
   16     5 s  sleep 16                  needs 2 cores; 0 cores of 4 cores free…
   17  1h 15m  a long name of a run th…  is number 17 in the queue












arrows choose   enter story   l logs   k end   s by memory   q quit`,
  );
});

const many = buildMachine({
  running: Array.from({ length: 200 }, (_, index) => buildRunning(index + 1)),
  queued: Array.from({ length: 200 }, (_, index) => buildQueued(index + 201)),
  queued_count: 5000,
});

test('of 200 running and 5,000 queued runs a screen is drawn, around the chosen one', () => {
  assert.equal(
    textOf(stateOf({ machine: many, chosen: 100 })),
    `box: 200 running, 5000 queued   budget 4 cpus, 7372 MB   load 1.35 1.00 0.48
cpu [#########......] 65 %   memory [###............] 2048 MB of 8192 MB
waits: cpu  3 %  memory  0 %  io 12 %   fullest disk 80 % (/state)
  RUN  MEMORY  OF LIMIT     LIMIT  CORES  STALL  TIME  200 running, 94 to 105
   94  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 94'
   95  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 95'
   96  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 96'
   97  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 97'
   98  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 98'
   99  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 99'
> 100  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 100'
  101  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 101'
  102  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 102'
  103  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 103'
  104  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 104'
  105  312 MB  [######..]  384 MB    1.0      -    1m  xz -9 'part 105'
  RUN  WAITS  5000 queued, 1 to 6  WHY (the first 200 are told)
  201    5 s  sleep 201            is number 201 in the queue
  202    5 s  sleep 202            is number 202 in the queue
  203    5 s  sleep 203            is number 203 in the queue
  204    5 s  sleep 204            is number 204 in the queue
  205    5 s  sleep 205            is number 205 in the queue
  206    5 s  sleep 206            is number 206 in the queue
arrows choose   enter story   l logs   k end   s by memory   q quit`,
  );
});

test('whichever run is chosen, on whatever size it fits in, its line is there and marked', () => {
  const state = stateOf({ machine: many });
  for (const size of [usual, { columns: 40, rows: 12 }, { columns: 200, rows: 60 }]) {
    for (const { id } of shownRuns(state)) {
      const lines = topScreen({ ...state, chosen: id }, size);
      const chosen = lines.filter(({ look }) => look === 'chosen');
      assert.equal(chosen.length, 1, `run ${id}`);
      assert.match(chosen[0]?.text ?? '', new RegExp(`^> +${id} `));
    }
  }
});

test('there are as many lines as rows, and none is wider than the screen, whatever is shown', () => {
  const wide = buildRunning(7, { name: '漢'.repeat(90), argv: ['\u001b[2J', 'a\nb', '\u202eevil', 'x'.repeat(500)] });
  const pages = { run: 7, title: 'run 7', lines: Array.from({ length: 99 }, () => '字\u0007'.repeat(60)), top: 90 };
  const states = [
    firstState,
    stateOf({ machine: busy, ending: 12 }),
    stateOf({ machine: many, trouble: 'gone\u001b[31m' }),
    stateOf({
      machine: buildMachine({ running: [wide], queued: [buildQueued(8, { reason: '\u001b]0;x\u0007', name: '\r' })] }),
    }),
    stateOf({ machine: busy, view: { ...pages, kind: 'logs', top: null } }),
    stateOf({ machine: busy, view: { ...pages, kind: 'story' } }),
  ];
  for (const state of states) {
    for (const columns of [1, 8, 40, 80, 132]) {
      for (const rows of [0, 1, 2, 5, 7, 24, 60]) {
        const lines = topScreen(state, { columns, rows });
        assert.equal(lines.length, rows);
        for (const { text } of lines) {
          assert.ok(textWidth(text) <= columns, `${textWidth(text)} of ${columns}: ${text}`);
          assert.doesNotMatch(text, /[\p{Cc}\u202e]/u);
        }
      }
    }
  }
});

test('before the first answer it says what it waits for, and while a daemon is gone it keeps the last picture', () => {
  assert.match(textOf(firstState), /^asking the daemon\n/);
  assert.match(textOf(stateOf({ trouble: 'no daemon answers' })), /^no daemon answers\n/);
  const stale = textOf(stateOf({ machine: busy, trouble: 'no daemon answers' }));
  assert.match(stale, /nightly/);
  assert.match(stale, /\nno daemon answers$/);
});

test('a machine that tells little says so, and never a rate over no time', () => {
  const sample = buildSample({ dt: 0.001, load: null, psi: null, disk: [], mem: { total: null, used: null, rss: 0 } });
  const [first = '', second = '', third = ''] = topPicture(buildMachine({ sample, down: true }));
  assert.match(first, /^box: 0 running, 0 queued; down: nothing is started until `orca up` {3}budget 4 cpus, 7372 MB$/);
  assert.match(second, /^cpu \[\?+\] +- {3}memory not known$/);
  assert.match(third, /^waits: not told by this kernel/);
});

test('the picture for a file has every run, and cuts nothing', () => {
  const lines = topPicture(many);
  assert.equal(lines.length, 3 + 1 + 200 + 1 + 200);
  assert.match(lines.join('\n'), /\n +RUN +WAITS +5000 queued +WHY \(the first 200 are told\)/);
  assert.ok(
    topPicture(busy).join('\n').includes('needs 2 cores; 0 cores of 4 cores free; held by runs 12, 13, 14 and 1 more'),
  );
});

const bars: [share: number, behind: number, text: string][] = [
  [0, 0, '[........]'],
  [0.001, 0, '[#.......]'],
  [0.5, 0, '[####....]'],
  [0.5, 0.8, '[####++..]'],
  [0.5, 0.2, '[####....]'],
  [0.999, 0, '[#######.]'],
  [1, 0, '[########]'],
  [1.7, 2, '[########]'],
  [0, 1, '[++++++++]'],
];
for (const [share, behind, text] of bars) {
  test(`a bar of ${share} with ${behind} behind it is ${text}`, () => assert.equal(bar(share, 8, behind), text));
}

const shares: [running: number, queued: number, rows: number, expected: [number, number]][] = [
  [3, 4, 18, [3, 4]],
  [200, 0, 18, [18, 0]],
  [0, 200, 18, [0, 18]],
  [200, 200, 18, [12, 6]],
  [200, 2, 18, [16, 2]],
  [4, 200, 18, [4, 14]],
  [200, 200, 0, [0, 0]],
  [1, 1, 1, [1, 0]],
];
for (const [running, queued, rows, expected] of shares) {
  test(`${running} running and ${queued} queued share ${rows} rows as ${expected.join(' and ')}`, () => {
    const share = shareRows(running, queued, rows);
    assert.deepEqual([share.running, share.queued], expected);
  });
}

test('a window shows the chosen one about in its middle, and never goes over an end', () => {
  assert.deepEqual(
    [0, 3, 50, 98, 99].map((chosen) => windowStart(chosen, 100, 10)),
    [0, 0, 45, 90, 90],
  );
  assert.equal(windowStart(2, 3, 10), 0);
});
