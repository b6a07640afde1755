/**
 * `tsx e2e/support/add-accounts.ts DATA_DIR ACCOUNTS`: makes accounts in the data folder of a server that doesn't
 * run, where no invitation mail can be waited for. ACCOUNTS is JSON: `[{email, password, roles}]`.
 */
import { pino } from 'pino';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { createAccount } from '../../server/access/identity/accounts/accounts.ts';
import { nodePlatform } from '../../server/platform/platform.ts';

interface NewAccount {
  email: string;
  password: string;
  roles: string[];
}

const [dataDir = '', text = '[]'] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const db = await openDatabase({ databaseUrl: undefined, dataDir, logger });
await migrate(db, logger);
for (const account of JSON.parse(text) as NewAccount[])
  await createAccount(db, nodePlatform, {
    ...account,
    firstName: account.roles.join(' '),
    lastName: 'Tester',
  });
await db.close();
