/** `npm run import -- DIR [--skip-unknown]`: takes a data set into the database of a stopped server (docs/data.md). */
import { parseArgs } from 'node:util';
import { importData } from '../server/app/transfer/import-data.ts';
import { runTransfer } from './run-transfer.ts';

const HELP = `usage: npm run import -- DIR [--skip-unknown]

Imports a folder with one JSON file a table (an array of rows) into the database that DATA_DIR and DATABASE_URL
name, all of it or nothing. Stop the server first. A row whose key is there already is refused.

  --skip-unknown   leave out tables and columns that the model lacks, instead of refusing`;

await runTransfer(HELP, async (open) => {
  const { values, positionals } = parseArgs({
    options: {
      'skip-unknown': { type: 'boolean', default: false },
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
    const { tables, skipped } = await importData(db, { folder, skipUnknown: values['skip-unknown'] });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    for (const table of tables) console.log(`${String(table.rows).padStart(9)} ${table.name}`);
    for (const line of skipped) console.log(`  left out: ${line}`);
    console.log(`imported ${rows} rows of ${tables.length} tables in ${seconds} s`);
  } finally {
    await db.close();
  }
  return 'done';
});
