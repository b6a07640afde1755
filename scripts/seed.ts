/**
 * `npm run seed -- --checks N [--configs N] [--components N] [--seed S]`: fills the database of DATA_DIR or
 * DATABASE_URL with made-up data. The server must not be running on the same folder.
 */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { migrate } from '../server/db/migrate.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { seedDatabase } from '../server/db/seed-query.ts';
import { parseSettings } from '../server/settings.ts';

const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '0' },
    configs: { type: 'string', default: '0' },
    components: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});

/** A whole number of a flag; anything else ends the program with the flag's name. */
function wholeNumber(flag: keyof typeof values): number {
  const number = Number(values[flag]);
  if (Number.isInteger(number) && number >= 0 && number <= 1_000_000) return number;
  console.error(`--${flag}=${values[flag]}: allowed are whole numbers from 0 to 1,000,000`);
  process.exit(2);
}

const numbers = {
  checks: wholeNumber('checks'),
  configs: wholeNumber('configs'),
  components: wholeNumber('components'),
  seed: wholeNumber('seed'),
};
const settings = parseSettings(process.env, []);
const logger = pino({ level: 'warn' });
const db = await openDatabase({
  databaseUrl: settings.databaseUrl ?? undefined,
  dataDir: settings.dataDir,
  logger,
});
try {
  await migrate(db, logger);
  const from = Date.now();
  await seedDatabase(db, numbers);
  console.log(
    `seeded ${numbers.checks} checks, ${numbers.configs} configs, ${numbers.components} components in ${Date.now() - from} ms`,
  );
} finally {
  await db.close();
}
