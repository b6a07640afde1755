/** The list of agents: on each size of screen, in both looks, without a network, and with the server away. */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { logIn } from './support/sign-in.ts';

test.setTimeout(300_000);

const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];
const VIEWS = SIZES.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);

const server = fileServer({ roles: [] });

/** A sign of life of one of the programs that have the token. */
async function call(token: string, program: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/upstream/ping`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}`,
      'content-type': 'application/json',
      'holdfast-program': program,
      'holdfast-program-host': `machine-${program}`,
    },
    body: JSON.stringify({ version: '9.9.9', hostname: `machine-${program}` }),
  });
  return answer.status;
}

/** An agent that offers its cluster, and whose token two programs use. */
async function makeAgent(page: Page): Promise<string> {
  const headers = { origin: server.url };
  const made = await page.request.post(`${server.url}/api/agent/generate`, {
    headers,
    data: { name: 'edge' },
  });
  const token = z.object({ access_token: z.string() }).parse(await made.json()).access_token;
  expect([await call(token, 'a'), await call(token, 'b'), await call(token, 'a')]).toEqual([200, 200, 200]);
  expect(await call(token, 'b')).toBe(409);
  const offered = await page.request.patch(`${server.url}/api/db/agents?name=eq.edge`, {
    headers,
    data: { cluster_seen: new Date().toISOString(), cluster_server: 'this#1' },
  });
  expect(offered.ok()).toBe(true);
  return token;
}

test('the list says where an agent is reached and that two programs use its token, wherever it is read', async ({
  page,
  context,
}) => {
  await logIn(page, server.url);
  const token = await makeAgent(page);
  await page.goto(`${server.url}/settings/agents`);
  const row = page.getByRole('row').filter({ hasText: 'edge' });
  const note = page.getByText(/Two programs use the token of edge: the one on machine-a goes on/);
  const calls = setInterval(() => void call(token, 'a').then(() => call(token, 'b')), 5000);
  try {
    await expect(row.getByText('Online')).toBeVisible({ timeout: 60_000 });
    for (const { colorScheme, ...size } of VIEWS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const at = `${size.width} ${colorScheme}`;
      await expect(note, at).toBeInViewport();
      await expect(note, at).toContainText('on machine-b');
      for (const text of ['Online', 'Two programs', 'Reachable'])
        await expect(row.getByText(text), `${text} ${at}`).toBeInViewport();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(size.width);
      expect(await findings(page), at).toEqual([]);
    }
    await row.getByRole('button', { name: 'edge', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/Two programs use the token of edge/)).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  } finally {
    clearInterval(calls);
  }

  const add = page.getByRole('button', { name: 'Add Agent' });
  const isThere = async () => {
    await expect(row).toBeVisible({ timeout: 60_000 });
    await expect(row.getByText('Cluster')).toBeVisible();
    await expect(add).toBeDisabled({ timeout: 60_000 });
  };
  await context.setOffline(true);
  await isThere();
  await context.setOffline(false);
  await expect(add).toBeEnabled({ timeout: 60_000 });
  await server.kill();
  await isThere();
  // Nothing can be changed, and it says why.
  await row.getByRole('button', { name: 'edge', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await server.start();
  await expect(add).toBeEnabled({ timeout: 60_000 });
});
