/** Run as a program while the server is stopped: makes every open identity form as old as if nobody had come back. */
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../server/platform/db/open-database.ts';

const [dataDir = ''] = process.argv.slice(2);
const db = await openDatabase({
  databaseUrl: undefined,
  dataDir: join(dataDir),
  logger: pino({ level: 'silent' }),
});
await db.run(`update identity_flows set expires_at = now() - interval '1 minute'`);
await db.close();
