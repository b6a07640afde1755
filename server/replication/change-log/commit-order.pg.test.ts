import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommitOrder } from '../../../tests/load/commit-order-run.ts';
import type { CommitOrderResult } from '../../../tests/load/commit-order-run.ts';
import { createPrng } from '../../app/seed/seed-prng.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { openPostgresDatabase } from '../../platform/db/postgres-database.ts';
import { createPostgresDatabase } from '../../platform/db/test-databases.ts';

describe('eight writers that hold their transactions for up to half a second', () => {
  let result: CommitOrderResult;

  beforeAll(async () => {
    const url = await createPostgresDatabase();
    const logger = pino({ level: 'silent' });
    const db = await openPostgresDatabase({ url, logger });
    await migrate(db, logger);
    await db.close();
    const dice = createPrng(11);
    result = await runCommitOrder({ url, commits: 600, maxHoldMs: 500, skew: 3, random: () => dice.roll() });
  });

  it('a reader by the log sees every commit, in rising order', () => {
    expect(result).toMatchObject({ commits: 600, skippedByLog: 0, logOutOfOrder: 0 });
  });

  it('a reader by updated_at would have skipped some', () => {
    expect(result.skippedByUpdatedAt).toBeGreaterThan(0);
  });
});
