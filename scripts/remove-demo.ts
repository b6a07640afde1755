/** `npm run demo:remove`: takes the demo out of the database of a stopped server. */
import { parseArgs } from 'node:util';
import { removeDemo } from '../server/app/demo/remove-demo-query.ts';
import { runTransfer } from './run-transfer.ts';

const HELP = `usage: npm run demo:remove

Removes what \`npm start -- --demo\` has added from the database that DATA_DIR and DATABASE_URL name: checks, items,
components, incidents, people, teams and settings of the made-up company. What you added yourself stays.
Stop the server first, and start it without --demo afterwards.`;

await runTransfer(HELP, async (open) => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return 'help';
  const db = await open();
  try {
    const removed = await removeDemo(db);
    for (const [kind, count] of Object.entries(removed)) console.log(`${String(count).padStart(6)} ${kind}`);
    console.log('The demo is removed. Start the server without --demo.');
  } finally {
    await db.close();
  }
  return 'done';
});
