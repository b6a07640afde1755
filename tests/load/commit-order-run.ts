/**
 * Law 2 on a real PostgreSQL: writers hold their transactions open for a while, readers poll meanwhile. A reader
 * by the log's number must see every row; one by `updated_at`, taken at write time, must be shown to skip some,
 * or the run wouldn't prove anything.
 */
import { pino } from 'pino';
import { z } from 'zod';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import type { Database } from '../../server/platform/db/database.ts';

const WRITERS = 8;
const POLL_MS = 50;
const PAGE = 500;

export interface CommitOrderOptions {
  /** A migrated database that nobody else writes. */
  url: string;
  commits: number;
  maxHoldMs: number;
  /** 1: holds spread evenly from 0 to the most; higher: most are short, some still the longest. */
  skew: number;
  random: () => number;
}

export interface CommitOrderResult {
  commits: number;
  tookMs: number;
  longestHoldMs: number;
  skippedByLog: number;
  skippedByUpdatedAt: number;
  /** Times that a reader by the log met a number that was not above all before. */
  logOutOfOrder: number;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Reader {
  seen: Set<string>;
  /** One page; answers how many rows it had. */
  poll(): Promise<number>;
}

function logReader(db: Database, count: (outOfOrder: number) => void): Reader {
  const seen = new Set<string>();
  let cursor = 0;
  return {
    seen,
    async poll() {
      const rows = await db.rows(
        z.custom<{ entity_id: string; seq: number }>(),
        `select entity_id, seq from change_log where seq > $1 and collection = 'checks' order by seq limit $2`,
        [cursor, PAGE],
      );
      for (const row of rows) {
        if (row.seq <= cursor) count(1);
        cursor = row.seq;
        seen.add(row.entity_id);
      }
      return rows.length;
    },
  };
}

function stampReader(db: Database): Reader {
  const seen = new Set<string>();
  let after = { updated_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  return {
    seen,
    async poll() {
      const rows = await db.rows(
        z.custom<{ id: string; updated_at: string }>(),
        `select id, updated_at from checks where (updated_at, id) > ($1::timestamptz, $2::uuid)
          order by updated_at, id limit $3`,
        [after.updated_at, after.id, PAGE],
      );
      after = rows.at(-1) ?? after;
      for (const row of rows) seen.add(row.id);
      return rows.length;
    },
  };
}

async function follow(reader: Reader, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await reader.poll();
    await sleep(POLL_MS);
  }
  // Everything is committed: whatever the cursor can still reach is read to the end.
  while ((await reader.poll()) > 0);
}

async function createCanary(db: Database): Promise<string> {
  const [row] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into canaries (name, namespace, spec) values ('commit-order', 'load', '{}') returning id`,
  );
  if (row === undefined) throw new Error('no canary');
  return row.id;
}

/** Runs it; the caller judges the figures. */
export async function runCommitOrder(options: CommitOrderOptions): Promise<CommitOrderResult> {
  const logger = pino({ level: 'silent' });
  const writing = await openPostgresDatabase({ url: options.url, logger });
  const reading = await openPostgresDatabase({ url: options.url, logger });
  const startedMs = Date.now();
  let [begun, longestHoldMs, outOfOrder, isOver] = [0, 0, 0, false];
  try {
    const canaryId = await createCanary(writing);
    const write = async () => {
      while (begun < options.commits) {
        const name = `check-${begun}`;
        begun += 1;
        const holdMs = options.maxHoldMs * options.random() ** options.skew;
        longestHoldMs = Math.max(longestHoldMs, holdMs);
        await writing.transaction(async (tx) => {
          await tx.run(`insert into checks (canary_id, type, name) values ($1, 'http', $2)`, [
            canaryId,
            name,
          ]);
          await sleep(holdMs);
        });
      }
    };
    const byLog = logReader(reading, (count) => (outOfOrder += count));
    const byStamp = stampReader(reading);
    const following = [byLog, byStamp].map((reader) => follow(reader, () => isOver));
    await Promise.all(Array.from({ length: WRITERS }, write));
    isOver = true;
    await Promise.all(following);
    const all = await reading.rows(z.custom<{ id: string }>(), 'select id from checks');
    const skipped = (seen: Set<string>) => all.filter(({ id }) => !seen.has(id)).length;
    return {
      commits: all.length,
      tookMs: Date.now() - startedMs,
      longestHoldMs: Math.round(longestHoldMs),
      skippedByLog: skipped(byLog.seen),
      skippedByUpdatedAt: skipped(byStamp.seen),
      logOutOfOrder: outOfOrder,
    };
  } finally {
    await Promise.all([writing.close(), reading.close()]);
  }
}
