/** Run as a program while the server is stopped: outside systems are read at the next start, not after five minutes. */
import { pino } from 'pino';
import { openDatabase } from '../../server/platform/db/open-database.ts';

const [dataDir = ''] = process.argv.slice(2);
const db = await openDatabase({ databaseUrl: undefined, dataDir, logger: pino({ level: 'silent' }) });
await db.run(`update responder_deliveries set next_attempt_at = now() where state = 'delivered'`);
await db.close();
