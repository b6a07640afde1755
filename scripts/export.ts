/** `npm run export -- DIR [--with-secrets]`: writes the database of a stopped server as a data set (docs/data.md). */
import { parseArgs } from 'node:util';
import { exportData } from '../server/app/transfer/export-data.ts';
import { configuredSealer, runTransfer } from './run-transfer.ts';

const HELP = `usage: npm run export -- DIR [--with-secrets]

Writes the database that DATA_DIR and DATABASE_URL name into a new or empty folder, one JSON file a table, for
npm run import. Stop the server first. Never in it: sessions, sign-in forms in progress, tokens, waiting events, the
devices' command ledger and change log.

  --with-secrets   also write who can sign in with what (identities, password hashes) and the secrets of connections
                   and agents; without it they are missing, or null. Keep such a folder like a password.`;

await runTransfer(HELP, async (open) => {
  const { values, positionals } = parseArgs({
    options: {
      'with-secrets': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (values.help || folder === undefined || positionals.length > 1)
    return values.help ? 'help' : 'wrong use';
  const startedAt = performance.now();
  const db = await open();
  try {
    const { tables, left, blanked } = await exportData(db, {
      folder,
      withSecrets: values['with-secrets'],
      ...(values['with-secrets'] ? { sealer: await configuredSealer() } : {}),
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    for (const { column, rows: count } of blanked) {
      console.log(`  secret, written as null: ${column} (${count} rows)`);
    }
    console.log(`  not in it: ${left.join(', ')}`);
    if (!values['with-secrets']) console.log('  a whole backup is made with --with-secrets');
    console.log(`exported ${rows} rows of ${tables.length} tables to ${folder} in ${seconds} s`);
  } finally {
    await db.close();
  }
  return 'done';
});
