/** Comments: mentions by keyboard, a draft that outlives the page, one's own are changed and deleted, viewers read. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident } from './support/incident-page.ts';
import { findings } from './support/findings.ts';
import { logIn } from './support/sign-in.ts';

/** Each test signs in anew and walks through a whole dialog. */
test.setTimeout(240_000);

const server = fileServer({ roles: ['viewer', 'responder', 'commander'] });

const field = (page: Page) => page.getByLabel('Comment', { exact: true });
const comments = (page: Page) => page.locator('[data-comment]');
/** Many keys in one moment, and the page is reloaded in the same one: nothing can have been written down by then. */
const typeAndReload = (page: Page, text: string) =>
  field(page).evaluate((area, whole) => {
    const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
    for (let length = 1; length <= whole.length; length += 1) {
      value?.set?.call(area, whole.slice(0, length));
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
    window.location.reload();
  }, text);
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

async function openAs(browser: Browser, role: string, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await logIn(page, server.url, accountOf(role));
  await page.goto(address);
  return page;
}

test('somebody is mentioned by keyboard: the field shows the name, the server has the person', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Mention me');
  await expect(send(page)).toBeDisabled();
  await field(page).pressSequentially('Ask @comm');
  const list = page.getByRole('listbox', { name: 'People to mention' });
  await expect(list.getByRole('option')).toHaveCount(1, { timeout: 60_000 });
  expect(await findings(page)).toEqual([]);
  await field(page).press('Enter');
  await expect(list).toHaveCount(0);
  const shown = await field(page).inputValue();
  expect(shown).toMatch(/^Ask @\S.* $/);
  await field(page).pressSequentially('and see https://wiki.example/a(b).');
  // A draft outlives the page.
  await page.reload();
  await expect(field(page)).toHaveValue(`${shown}and see https://wiki.example/a(b).`, { timeout: 60_000 });
  // Until the hypotheses were read, nothing can be sent.
  await expect(send(page)).toBeEnabled({ timeout: 60_000 });
  await field(page).press('Control+Enter');
  await expect(field(page)).toHaveValue('');
  await expect(comments(page)).toContainText(shown.trim());
  await expect(comments(page).getByRole('link')).toHaveAttribute('href', 'https://wiki.example/a(b)');
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  const stored = async () => {
    const answer = await page.request.get(`${server.url}/api/db/comments?comment=like.Ask*&select=comment`);
    const [first] = (await answer.json()) as { comment: string }[];
    return first?.comment;
  };
  await expect.poll(stored, { timeout: 60_000 }).toMatch(/^Ask @\[[^\]]+\]\(user:[0-9a-f-]{36}\) and see/);
});

test('Escape keeps what was typed, Enter alone makes a new line, and a text outlives a reload in the middle of it', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Keys');
  await field(page).pressSequentially('@comm');
  await expect(page.getByRole('listbox')).toBeVisible({ timeout: 60_000 });
  await field(page).press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue('@comm\n');
  await expect(comments(page)).toHaveCount(0);
  const text = 'Nobody waits until a text was written down.';
  const reloaded = page.waitForEvent('load');
  await typeAndReload(page, text);
  await reloaded;
  await expect(field(page)).toHaveValue(text, { timeout: 60_000 });
});

test('one’s own comment is changed and deleted; others only read it', async ({ page, browser }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Own words');
  await comment(page, 'Frist');
  await comments(page).getByRole('button', { name: 'Edit', exact: true }).click();
  await comments(page).getByLabel('Comment', { exact: true }).fill('First');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // Until the editor is gone there are two fields, and it is the editor that has the new words.
  await expect(comments(page).getByLabel('Comment', { exact: true })).toHaveCount(0);
  await expect(comments(page)).toContainText('First');
  await comment(page, 'Second');
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  // The newest is on top.
  await expect(comments(page).first()).toContainText('Second');

  const viewer = await openAs(browser, 'viewer', page.url());
  await expect(comments(viewer)).toHaveCount(2, { timeout: 60_000 });
  await expect(viewer.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: 'Delete comment' })).toHaveCount(0);
  expect(await findings(viewer)).toEqual([]);
  await viewer.context().close();

  await comments(page).first().getByRole('button', { name: 'Delete comment' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(comments(page)).toHaveCount(1);
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
});
