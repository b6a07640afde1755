/**
 * `tsx e2e/support/add-accounts.ts DATA_DIR ACCOUNTS`: makes accounts in the data folder of a stopped server, where
 * no invitation mail can be waited for. ACCOUNTS is JSON: `[{email, password, roles}]`.
 */
import { pino } from 'pino';
import { openDatabase } from '../../server/db/open-database.ts';
import { createAccount } from '../../server/identity/accounts.ts';
import { nodePlatform } from '../../server/platform.ts';

interface NewAccount {
  email: string;
  password: string;
  roles: string[];
}

const [dataDir = '', text = '[]'] = process.argv.slice(2);
const db = await openDatabase({ databaseUrl: undefined, dataDir, logger: pino({ level: 'silent' }) });
for (const account of JSON.parse(text) as NewAccount[])
  await createAccount(db, nodePlatform, {
    ...account,
    firstName: account.roles.join(' '),
    lastName: 'Tester',
  });
await db.close();
