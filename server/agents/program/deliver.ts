/**
 * One batch on its way upstream. A row that is refused for what is in it is found by halving the batch, and waits aside
 * with the reason while the others are stored. Where hardly anything is taken the whole batch waits: then it is not a
 * row's fault (a clock that is days off), and asking for each one would be a flood.
 */
import type { Queryable } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PushTable } from '../push-tables.ts';
import { markPushed, type OutgoingRow } from './outgoing-query.ts';
import type { PushPace } from '../push-pace.ts';
import { noteAside, setAside, takeBack, type RefusedRow } from './set-aside-query.ts';
import type { MissingAtUpstream, UpstreamClient } from './upstream-client.ts';

/** Calls of which none stored anything, and calls for one batch. */
const MOST_IN_VAIN = 12;
const MOST_CALLS = 60;

export interface DeliverDeps {
  db: Queryable;
  client: Pick<UpstreamClient, 'push'>;
  logger: Pick<Logger, 'warn'>;
  platform: { now: () => number; sleep: (ms: number, signal: AbortSignal) => Promise<void> };
  pace: PushPace;
}

export type Delivery =
  | { kind: 'stored' | 'refused' | 'not taken' }
  /** What these rows hang on has to go first. */
  | { kind: 'parents'; rows: readonly OutgoingRow[]; missing: MissingAtUpstream };

class Batch {
  readonly refused: RefusedRow[] = [];
  private calls = 0;
  private isAnyStored = false;
  private readonly deps: DeliverDeps;
  private readonly table: PushTable;
  private readonly signal: AbortSignal;

  constructor(deps: DeliverDeps, table: PushTable, signal: AbortSignal) {
    this.deps = deps;
    this.table = table;
    this.signal = signal;
  }

  async send(rows: readonly OutgoingRow[]): Promise<Delivery> {
    const { db, client, pace } = this.deps;
    this.calls += 1;
    const sent = rows.map(({ row }) => row);
    const outcome = await pace.call(this.signal, () => client.push(this.table.sentAs, sent, this.signal));
    if (outcome.kind === 'not taken') return { kind: 'not taken' };
    if (outcome.kind === 'missing') return { kind: 'parents', rows, missing: outcome.missing };
    if (outcome.kind === 'stored') {
      this.isAnyStored = true;
      await markPushed(db, this.table, rows);
      await takeBack(db, { table: this.table, rows });
      return { kind: 'stored' };
    }
    const isHopeless = this.calls >= (this.isAnyStored ? MOST_CALLS : MOST_IN_VAIN);
    if (rows.length === 1 || isHopeless) {
      this.refused.push(...rows.map((row) => ({ row, error: outcome.error })));
      return { kind: 'refused' };
    }
    const middle = Math.ceil(rows.length / 2);
    const first = await this.send(rows.slice(0, middle));
    if (first.kind === 'parents' || first.kind === 'not taken') return first;
    const second = await this.send(rows.slice(middle));
    return second.kind === 'refused' ? first : second;
  }
}

/** Rows that hang on what waits aside wait with it. */
export async function putAside(
  { db, logger, platform }: Pick<DeliverDeps, 'db' | 'logger' | 'platform'>,
  table: PushTable,
  refused: readonly RefusedRow[],
): Promise<void> {
  const now = new Date(platform.now());
  await setAside(db, { table, refused, now });
  const waiting = await noteAside(db, table.name, now);
  const [first] = refused;
  logger.warn(
    { table: table.name, refused: refused.length, waiting, error: first?.error },
    'the upstream server refused rows for what is in them: they wait, the others go on',
  );
}

/** Sends the rows; 'refused' where none of them was taken. */
export async function deliver(
  deps: DeliverDeps,
  { table, rows }: { table: PushTable; rows: readonly OutgoingRow[] },
  signal: AbortSignal,
): Promise<Delivery> {
  const batch = new Batch(deps, table, signal);
  try {
    return await batch.send(rows);
  } finally {
    if (batch.refused.length > 0) await putAside(deps, table, batch.refused);
  }
}
