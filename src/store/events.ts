import type { Selectable } from 'kysely';
import type { Millis, RunId } from '../units/brands.ts';
import { fixed } from './fixed.ts';
import { takeIds } from './ids.ts';
import { factsOf } from './json-columns.ts';
import type { Db, EventsTable, Tx } from './schema.ts';

export interface NewEvent {
  readonly run: RunId | null;
  readonly at: Millis;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends NewEvent {
  readonly id: number;
}

/** Keeps an event and returns its number. */
export const addEvent = (tx: Tx, event: NewEvent): Promise<number> => addEvents(tx, [event]);

/** Keeps events, in their order, and returns the first one's number. */
export const addEvents = async (tx: Tx, events: readonly NewEvent[]): Promise<number> => {
  const first = await takeIds(tx, 'event', events.length);
  if (events.length <= fewEvents) {
    for (const [index, event] of events.entries())
      await insertOne(tx, { ...event, id: first + index, data: JSON.stringify(event.data) });
    return first;
  }
  for (let at = 0; at < events.length; at += rowsAtOnce) {
    const rows = events
      .slice(at, at + rowsAtOnce)
      .map((event, index) => ({ ...event, id: first + at + index, data: JSON.stringify(event.data) }));
    await tx.insertInto('events').values(rows).execute();
  }
  return first;
};

const rowsAtOnce = 1000;

/** So many are stored one by one, by a text that is kept. */
const fewEvents = 3;

const insertOne = fixed((db, value: Selectable<EventsTable>) =>
  db.insertInto('events').values({ id: value.id, run: value.run, at: value.at, kind: value.kind, data: value.data }),
);

/** Events with a number over `id`, oldest first. */
export const eventsSince = async (db: Db, id: number, limit: number): Promise<StoredEvent[]> =>
  (await db.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()).map(eventOf);

/** Whose events, and which; each that is empty stands for all. */
export interface EventFilter {
  readonly runs?: readonly RunId[];
  readonly groups?: readonly number[];
  readonly kinds?: readonly string[];
  /** Only those of no run. */
  readonly ofNoRun?: boolean;
}

/** The same, of those that the filter lets through, up to the number `last`. */
export const eventsBetween = async (
  db: Db,
  { since, last, limit }: { readonly since: number; readonly last: number; readonly limit: number },
  { runs = [], groups = [], kinds = [], ofNoRun = false }: EventFilter,
): Promise<StoredEvent[]> => {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', since)
    .where('id', '<=', last)
    .$if(kinds.length > 0, (query) => query.where('kind', 'in', kinds))
    .$if(ofNoRun, (query) => query.where('run', 'is', null))
    .$if(runs.length + groups.length > 0, (query) =>
      query.where((eb) =>
        eb.or([
          ...(runs.length > 0 ? [eb('run', 'in', runs)] : []),
          ...(groups.length > 0
            ? [eb('run', 'in', eb.selectFrom('runs').select('runs.id').where('group_id', 'in', groups))]
            : []),
        ]),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(eventOf);
};

/** All that is kept of one run. */
export const eventsOfRun = async (db: Db, run: RunId): Promise<StoredEvent[]> =>
  (await db.selectFrom('events').selectAll().where('run', '=', run).orderBy('id').execute()).map(eventOf);

/** The number before that of the first event from `at` on; that of the last one when there is none. */
export const eventsBefore = async (db: Db, at: Millis): Promise<number> => {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.min<number | null>('id').as('first'))
    .where('at', '>=', at)
    .executeTakeFirst();
  return row?.first == null ? lastEventId(db) : row.first - 1;
};

const eventOf = (row: Selectable<EventsTable>): StoredEvent => ({
  ...row,
  data: factsOf(row.data),
});

/** The number of the last event ever kept: where someone who wants only new ones begins. */
export const lastEventId = async (db: Db): Promise<number> => {
  const row = await db.selectFrom('counters').select('last').where('name', '=', 'event').executeTakeFirstOrThrow();
  return row.last;
};
