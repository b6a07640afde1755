/** Things that are not there, or not any more: each page says what is missing, and never what the database says of it. */
import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { signIn, waitUntilLoaded } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

const server = fileServer();

/** One that nothing has, and two that are none. */
const IDS = ['00000000-0000-4000-8000-00000000dead', 'undefined', "x'%22<b>"];

/** What each page says. */
const PAGES: [address: (id: string) => string, says: string][] = [
  [(id) => `/incidents/${id}`, 'Incident not found'],
  [(id) => `/catalog/${id}`, 'No such catalog item'],
  [(id) => `/catalog/scrapers/${id}`, 'No resources found'],
  [(id) => `/playbooks/${id}`, 'There is no such playbook'],
  [(id) => `/playbooks/runs/${id}`, 'There is no such run'],
  [(id) => `/topology/${id}`, 'Component not found'],
  [(id) => `/view/topology/${id}`, 'Component not found'],
  [(id) => `/logs?topologyId=${id}`, 'Component not found'],
  [(id) => `/health?checkId=${id}`, 'This check is not here'],
  [(id) => `/settings/canaries/${id}`, 'There is no such canary'],
  [(id) => `/settings/teams/${id}`, 'No resources found'],
  [(id) => `/settings/integrations/topologies/${id}`, 'No resources found'],
  [(id) => `/settings/walls/boards/${id}`, 'There is no such board'],
];

test('an address whose thing is not there says so, in words of the product', async ({ page }) => {
  await signIn(page, server.url);
  for (const [address, says] of PAGES)
    for (const id of IDS) {
      const path = address(encodeURIComponent(id));
      await walkTo(page, path);
      await expect(page.getByText(says), path).toBeVisible();
      await expect(page.getByText('invalid input syntax'), path).toHaveCount(0);
    }
});

test('a board that somebody deletes while it is open here says so, and saving creates it again', async ({
  page,
}) => {
  const path = '/api/walls/boards/0190a1b2-0000-7000-8000-0000000000f2';
  const tile = { kind: 'health', id: 'all', groupBy: 'none', query: '', x: 0, y: 0, w: 12, h: 8 };
  const send = (method: 'POST' | 'DELETE') =>
    page.evaluate(
      async ([address, verb, body]) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(address, { method: verb, headers, ...(verb === 'POST' ? { body } : {}) });
        if (!answer.ok) throw new Error(await answer.text());
      },
      [path, method, JSON.stringify({ name: 'Night shift', tiles: [tile] })] as const,
    );
  await signIn(page, server.url, '/settings/walls');
  await send('POST');
  await page.getByRole('button', { name: 'Edit board Night shift' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('Night shift');
  await name.fill('Day shift');
  await send('DELETE');
  await expect(page.getByText('Somebody deleted this board')).toBeVisible();
  await expect(name).toHaveValue('Day shift');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Edit board Day shift' })).toBeVisible();
});

test('a server that cannot be reached has not said that a component is not there', async ({ page }) => {
  await signIn(page, server.url);
  await waitUntilLoaded(page);
  // The page and its list of components are here.
  await walkTo(page, `/logs?topologyId=${IDS[0]}`);
  await expect(page.getByText('Component not found')).toBeVisible();
  await server.stop();
  await walkTo(page, '/logs?topologyId=00000000-0000-4000-8000-00000000beef');
  await expect(page.getByText('The logs could not be read')).toBeVisible();
  await expect(page.getByText('Component not found')).toHaveCount(0);
});
