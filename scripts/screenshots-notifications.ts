/**
 * `npx tsx scripts/screenshots-notifications.ts [phone] [desk] [tablet]`: takes the pictures of notifications from a real
 * server with an invented estate. Run `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { launch, LOOKS, openCamera } from './screenshot-kit.ts';

const server = await prepareServer();
const script = ['--import', 'tsx', 'e2e/support/add-notifications.ts', server.dataDir];
execFileSync(process.execPath, script, { stdio: 'inherit' });
await server.start();
const browser = await launch();
try {
  for (const look of LOOKS) {
    const { context, page, shoot } = await openCamera(
      browser,
      { url: server.url, path: '/notifications' },
      look,
    );
    const rows = page.locator('[data-row-kind="notification"]');
    await rows.first().waitFor();
    await shoot('notifications');
    await page.goto(`${server.url}/notifications?status=error:1`);
    await rows.first().getByRole('button').click();
    await shoot('notification');
    await page.goto(`${server.url}/notifications/rules`);
    await shoot('notification-rules');
    await page.locator('tbody button').first().click();
    await shoot('notification-rule');
    await page.goto(`${server.url}/notifications/silences?show=all`);
    await shoot('silences');
    await page.locator('tbody tr').nth(2).getByRole('button').first().click();
    await page.getByRole('heading', { name: 'Next times' }).scrollIntoViewIfNeeded();
    await shoot('silence');
    await page.goto(`${server.url}/topology`);
    await shoot('silenced-topology');
    await context.close();
  }
} finally {
  await browser.close();
  await server.dispose();
}
