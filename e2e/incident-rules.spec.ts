/** Rules at Settings → Rules: written, refused, changed, deleted; and what they do on the list of incidents. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { signIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

test.setTimeout(480_000);

const server = fileServer({ roles: ['viewer'] });
const WELL = { health: 'healthy', status: 'healthy' };

const rule = (component: string, status: string) => `components:
  - name: ${component}
filter:
  status: [${status}]
template:
  title: '{{ .subject.name }} is {{ .subject.status }}'
  severity: high
autoClose:
  timeout: 0s
`;

async function insert(page: Page, table: string, row: Record<string, unknown>): Promise<string> {
  const answer = await page.request.post(`${server.url}/api/db/${table}?select=id`, {
    headers: { origin: server.url, prefer: 'return=representation' },
    data: row,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const [made] = (await answer.json()) as { id: string }[];
  return made?.id ?? '';
}

const addComponent = (page: Page, name: string) =>
  insert(page, 'components', { external_id: name, name, type: 'Application', ...WELL });

async function addRule(page: Page, name: string, component: string): Promise<string> {
  const answer = await page.request.get(`${server.url}/api/auth/whoami`);
  const { payload } = (await answer.json()) as { payload: { user: { id: string } } };
  const spec = { components: [{ name: component }] };
  return insert(page, 'incident_rules', { name, spec, source: 'UI', created_by: payload.user.id });
}

/** Replaces the specification, as a paste over everything does: typed, the editor would indent it once more. */
async function writeSpec(page: Page, text: string): Promise<void> {
  await page.getByRole('radio', { name: 'YAML' }).click();
  const editor = page.getByRole('textbox', { name: 'Spec', exact: true });
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await expect(editor).toContainText(text.trim().split('\n').at(-1)?.trim() ?? '');
}

async function setHealth(page: Page, id: string, health: Record<string, string>): Promise<void> {
  const answer = await page.request.patch(`${server.url}/api/db/components?id=eq.${id}`, {
    headers: { origin: server.url },
    data: health,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

test('a rule is written, refused with its wrong field, saved, and opens and ends incidents from then on', async ({
  page,
}) => {
  await signIn(page, server.url);
  const component = await addComponent(page, 'checkout');
  await walkTo(page, '/settings/incident_rules');
  await page.getByRole('button', { name: 'Add Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Rule' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This field is required').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Shop');
  await writeSpec(page, 'filter:\n  status: [unhealthy\n');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert').first()).toBeVisible();
  await writeSpec(page, 'components:\n  - name: checkout\nfilter:\n  agee: 2m\n');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/spec\.filter.*agee/)).toBeVisible({ timeout: 60_000 });
  expect(await findings(page)).toEqual([]);
  await writeSpec(page, rule('checkout', 'unhealthy'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: 'Shop' })).toBeVisible({ timeout: 60_000 });

  await walkTo(page, '/incidents');
  await expect(page.getByText('There are no incidents matching this criteria')).toBeVisible({
    timeout: 60_000,
  });
  await setHealth(page, component, { health: 'unhealthy', status: 'unhealthy' });
  const row = page.locator('[data-incident]');
  await expect(row).toContainText('checkout is unhealthy', { timeout: 120_000 });
  await expect(row).toContainText('High');
  const id = (await row.getAttribute('data-incident')) ?? '';
  await setHealth(page, component, WELL);
  await expect(row).toHaveCount(0, { timeout: 120_000 });

  await walkTo(page, `/incidents/${id}?panel=changelog`);
  const status = page.getByRole('combobox', { name: 'Status', exact: true });
  await expect(status).toHaveValue('closed', { timeout: 60_000 });
  await expect(page.locator('[data-event="incident.created"]')).toContainText('System');
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('link', { name: 'rule Shop' })).toBeVisible({ timeout: 60_000 });
});

test('a rule is changed and deleted, and does what it says by then', async ({ page }) => {
  await signIn(page, server.url);
  const component = await addComponent(page, 'depot');
  await walkTo(page, `/settings/incident_rules/${await addRule(page, 'Depot', 'depot')}`);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toBeDisabled({
    timeout: 60_000,
  });
  await writeSpec(page, rule('depot', 'degraded'));
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByText('Depot updated successfully')).toBeVisible({ timeout: 60_000 });
  await setHealth(page, component, { health: 'warning', status: 'degraded' });
  await walkTo(page, '/incidents');
  const row = page.locator('[data-incident]').filter({ hasText: 'depot is degraded' });
  await expect(row).toBeVisible({ timeout: 120_000 });

  await walkTo(page, '/settings/incident_rules');
  await page.getByRole('link', { name: 'Depot' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Delete Rule' });
  await expect(asked).toContainText('Are you sure you want to delete Depot?');
  await asked.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Depot deleted successfully')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: 'Depot' })).toHaveCount(0, { timeout: 60_000 });
});

test('a viewer reads a rule and cannot change it', async ({ page, browser }) => {
  await signIn(page, server.url);
  const id = await addRule(page, 'Kept', 'nothing');
  const viewer = await (await browser.newContext()).newPage();
  await signIn(viewer, server.url, `/settings/incident_rules/${id}`, accountOf('viewer'));
  await expect(viewer.getByText('You may look at this, not change it.')).toBeVisible({ timeout: 60_000 });
  await expect(viewer.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);
  await viewer.context().close();
});
