/**
 * Writes an invented estate with a week of notifications into the database of a stopped server.
 * `npx tsx e2e/support/add-notifications.ts DATA_DIR`
 */
import { pino } from 'pino';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { addSilences, fillEstate } from '../../tests/notifications/support/estate-query.ts';

const [dataDir = ''] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const db = await openDatabase({ databaseUrl: undefined, dataDir, logger });
await migrate(db, logger);
const nowMs = Date.now();
await addSilences(db, await fillEstate(db, nowMs), nowMs);
await db.close();
