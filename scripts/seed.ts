/**
 * `npm run seed -- --checks N [--statuses N] [--configs N] [--components N]
 * [--incidents N] [--changes N] [--jobs N] [--relationships N] [--insights N] [--seed S] [--age MINUTES]`: fills the database
 * of a stopped server. `--age`: as if it had been filled so long ago, and nothing had run since.
 */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { AppError } from '../src/contract/errors.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { openDatabase } from '../server/platform/db/open-database.ts';
import { seedDatabase } from '../server/app/seed/seed-query.ts';

const USAGE =
  'usage: npm run seed -- --checks N [--statuses N] [--configs N] [--components N] [--incidents N] ' +
  '[--changes N] [--jobs N] [--relationships N] [--insights N] [--seed S] [--age MINUTES]';
const EXIT_WRONG_USE = 2;
const MINUTE_MS = 60_000;

class UsageError extends Error {}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} ${text}: a whole number is needed`);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      checks: { type: 'string', default: '1000' },
      statuses: { type: 'string' },
      configs: { type: 'string', default: '0' },
      components: { type: 'string', default: '0' },
      incidents: { type: 'string', default: '0' },
      changes: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '0' },
      relationships: { type: 'string', default: '0' },
      insights: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      age: { type: 'string', default: '0' },
    },
  });
  return {
    checks: wholeNumber('checks', values.checks),
    ...(values.statuses === undefined ? {} : { statuses: wholeNumber('statuses', values.statuses) }),
    configs: wholeNumber('configs', values.configs),
    components: wholeNumber('components', values.components),
    incidents: wholeNumber('incidents', values.incidents),
    changes: wholeNumber('changes', values.changes),
    jobs: wholeNumber('jobs', values.jobs),
    relationships: wholeNumber('relationships', values.relationships),
    insights: wholeNumber('insights', values.insights),
    seed: wholeNumber('seed', values.seed),
    nowMs: Date.now() - wholeNumber('age', values.age) * MINUTE_MS,
  };
}

async function main(): Promise<void> {
  const size = readArguments();
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' });
  const startedAt = performance.now();
  const db = await openDatabase({
    databaseUrl: process.env['DATABASE_URL'],
    dataDir: process.env['DATA_DIR'] ?? './data',
    logger,
  });
  try {
    await migrate(db, logger);
    await seedDatabase(db, size);
  } finally {
    await db.close();
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `seeded ${size.checks} checks, ${size.configs} configs, ${size.components} components, ` +
      `${size.incidents} incidents, ${size.changes} changes, ${size.relationships} links, ${size.insights} insights, ` +
      `${size.jobs} job runs in ${seconds} s`,
  );
}

try {
  await main();
} catch (error) {
  const isWrongUse = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (!isWrongUse && !(error instanceof AppError)) throw error;
  console.error(error instanceof Error ? error.message : error);
  if (isWrongUse) console.error(USAGE);
  process.exitCode = isWrongUse ? EXIT_WRONG_USE : 1;
}
