/** What import and export share: the server's settings, its database, and how they end. */
import { pino } from 'pino';
import { AppError } from '../src/contract/errors.ts';
import type { Database } from '../server/platform/db/database.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { openDatabase } from '../server/platform/db/open-database.ts';
import { createSealer, loadSealingKey } from '../server/platform/crypto/sealing.ts';
import type { Sealer } from '../server/platform/crypto/sealing.ts';
import { nodePlatform } from '../server/platform/platform.ts';
import { SettingsError, parseSettings } from '../server/platform/settings/settings.ts';

const EXIT_REFUSED = 1;
const EXIT_WRONG_USE = 2;

/** Opens what that server sealed. */
export async function configuredSealer(): Promise<Sealer> {
  const { dataDir } = parseSettings(process.env, []);
  return createSealer(await loadSealingKey(dataDir, nodePlatform), nodePlatform);
}

/** Opens the database of the server that the environment describes, up to date. */
async function openConfigured(): Promise<Database> {
  const { databaseUrl, dataDir } = parseSettings(process.env, []);
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' });
  const db = await openDatabase({ databaseUrl: databaseUrl ?? undefined, dataDir, logger });
  try {
    await migrate(db, logger);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Runs the command: 0 when done, 1 with the reason when refused, 2 with the usage when called wrongly. */
export async function runTransfer(
  help: string,
  work: (open: () => Promise<Database>) => Promise<'done' | 'help' | 'wrong use'>,
): Promise<void> {
  try {
    const outcome = await work(openConfigured);
    if (outcome === 'help') console.log(help);
    if (outcome !== 'wrong use') return;
    console.error(help);
    process.exitCode = EXIT_WRONG_USE;
  } catch (error) {
    const isWrongUse = error instanceof SettingsError || (error instanceof TypeError && 'code' in error);
    if (!isWrongUse && !(error instanceof AppError)) throw error;
    console.error(error.message);
    process.exitCode = isWrongUse ? EXIT_WRONG_USE : EXIT_REFUSED;
  }
}
