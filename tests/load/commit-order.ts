/** `npx tsx tests/load/commit-order.ts [commits] [longest hold in ms]`: the long form, 10,000 commits, 0 to 5 s. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../server/platform/db/embedded/embedded-postgres.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { runCommitOrder } from './commit-order-run.ts';

const [commits = 10_000, maxHoldMs = 5000] = process.argv.slice(2).map(Number);
/** Keeps the mean hold at a fiftieth of the longest, so that 10,000 commits end in minutes. */
const SKEW = 49;

const logger = pino({ level: 'silent' });
const folder = await mkdtemp(join(tmpdir(), 'holdfast-commit-order-'));
const server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), logger });
try {
  const url = server.url('postgres');
  const db = await openPostgresDatabase({ url, logger });
  await migrate(db, logger);
  await db.close();
  const result = await runCommitOrder({ url, commits, maxHoldMs, skew: SKEW, random: Math.random });
  console.table([result]);
  const isProven = result.skippedByLog === 0 && result.logOutOfOrder === 0 && result.skippedByUpdatedAt > 0;
  process.exitCode = isProven ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
