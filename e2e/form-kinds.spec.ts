/** Every kind of check and of scraper by its form: filled in, tried, seen as YAML and back, saved, edited, taken out, deleted. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { parse, stringify } from 'yaml';
import { schemaFile } from '../server/app/schemas/schema-files.ts';
import { messages as triedChecks } from '../src/features/settings/checks/messages.ts';
import { messages as triedScrapers } from '../src/features/settings/scrapers/messages.ts';
import { fieldLabel } from '../src/ui/document/field-label.ts';
import { messages } from '../src/ui/document/messages.ts';
import {
  entryKinds,
  offeredKinds,
  readDocumentSchema,
  type EntryKind,
} from '../src/ui/document/schema-fields.ts';
import { fileServer } from './support/file-server.ts';
import { logIn } from './support/sign-in.ts';

test.describe.configure({ timeout: 600_000 });

const server = fileServer({ env: { ALLOW_EXEC: 'true' } });

const FORMS = [
  // A canary has a page of its own, with a link to its form; of a scraper the form is the page.
  {
    of: 'checks',
    schema: 'canary.spec.schema.json',
    table: 'canaries',
    hasPage: true,
    tried: triedChecks.tried.results,
  },
  {
    of: 'scrapers',
    schema: 'scrape_config.spec.schema.json',
    table: 'config_scrapers',
    hasPage: false,
    tried: triedScrapers.results,
  },
];

interface Filled {
  kind: EntryKind;
  /** What is typed into fields of one line, by key. */
  typed: Record<string, string | number>;
  /** With what only YAML has. */
  whole: Record<string, unknown>;
}

/** The kind's own example, with something in each field that it leaves open. */
function filledOf(kind: EntryKind): Filled {
  const whole: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(kind.example)) whole[key] = value === '' ? 'something' : value;
  const typed = kind.fields.flatMap(({ key, control }) => {
    const value = whole[key];
    const isTyped = control.kind === 'text' || control.kind === 'number';
    if (!isTyped || (typeof value !== 'string' && typeof value !== 'number')) return [];
    // What may be a text or a figure is written as a text.
    return [[key, control.kind === 'text' ? String(value) : value] as const];
  });
  const ofFields = Object.fromEntries(typed);
  return { kind, typed: ofFields, whole: { ...whole, ...ofFields } };
}

/** A document of them, with what a form leaves to YAML. */
const documentOf = (some: readonly Filled[]): Record<string, unknown> =>
  Object.fromEntries(some.map(({ kind, whole }) => [kind.key, kind.isSingle ? whole : [whole]]));

const entryOf = (form: Locator, { kind }: Filled, name: string | number = '') =>
  form.getByRole('region', { name: messages.entry(kind.title, String(name)), exact: true });

const fieldOf = (entry: Locator, key: string) =>
  entry
    .getByLabel(new RegExp(`^${fieldLabel(key).replaceAll(/[()%]/g, String.raw`\$&`)}(?: \\*)?$`))
    .filter({ visible: true })
    .first();

const view = (form: Locator, name: keyof typeof messages.views) =>
  form.getByRole('radio', { name: messages.views[name] }).click();
const editorOf = (form: Locator) => form.getByRole('textbox', { name: 'Spec' });

/** One more entry, with all that a form has for its kind typed in. */
async function addEntry(form: Locator, filled: Filled): Promise<void> {
  const { kind, typed } = filled;
  await form.getByLabel(messages.kind, { exact: true }).last().selectOption({ label: kind.title });
  await form
    .getByRole('button', { name: /^Add(?: another)?$/ })
    .last()
    .click();
  const isCalled = 'name' in typed && !String(typed['name']).startsWith('$');
  const added = entryOf(form, filled, isCalled ? kind.title : '');
  // An entry is called by its name, and found by what it is called.
  const { name, ...rest } = typed;
  for (const [key, value] of Object.entries(rest)) await fieldOf(added, key).fill(String(value));
  if (name !== undefined) await fieldOf(added, 'name').fill(String(name));
}

async function removeEntry(form: Locator, filled: Filled): Promise<void> {
  const old = entryOf(form, filled, filled.typed['name']);
  // Its own comes before those of its parts.
  await old
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expect(old).toBeHidden();
}

/** As many as the editor shows at a time. */
const AT_A_TIME = 4;

/** Puts what only YAML has to what was typed. */
async function complete(form: Locator, some: readonly Filled[]): Promise<void> {
  await view(form, 'yaml');
  await editorOf(form).fill(stringify(documentOf(some)));
  await view(form, 'form');
}

/** Runs what stands in the form once on the server: there are no such services here, and it says so of each. */
async function tryOut(form: Locator, some: readonly Filled[], results: string): Promise<void> {
  await form.getByRole('button', { name: 'Try now' }).click();
  const told = form.getByRole('list', { name: results }).locator('> li');
  await expect(told).toHaveCount(some.length, { timeout: 90_000 });
}

/** Some kinds in the form: what is typed stands in the YAML, and in the form again. */
async function typeIn(form: Locator, some: readonly Filled[], before: readonly Filled[]): Promise<void> {
  for (const filled of some) await addEntry(form, filled);
  for (const filled of before) await removeEntry(form, filled);
  await view(form, 'yaml');
  const document = parse(await editorOf(form).innerText()) as Record<string, unknown>;
  for (const { kind, typed } of some) expect([document[kind.key]].flat(), kind.key).toMatchObject([typed]);
  await view(form, 'form');
  for (const filled of some) await shows(form, filled, filled.typed);
}

async function shows(form: Locator, filled: Filled, typed: Filled['typed']): Promise<void> {
  const entry = entryOf(form, filled, typed['name']);
  for (const [key, value] of Object.entries(typed))
    await expect(fieldOf(entry, key), `${filled.kind.key}.${key}`).toHaveValue(String(value));
}

/** Fields that take any text. */
const FREE = ['name', 'type', 'clusterName', 'connection', 'project', 'owner', 'organization', 'version'];

/** What is changed in an entry of the kind; null for one that has no such field. */
function changeOf({ typed }: Filled): { key: string; value: string } | null {
  const key = FREE.find((free) => typed[free] !== undefined);
  return key === undefined ? null : { key, value: `${typed[key]}2` };
}

async function specOf(page: Page, table: string): Promise<Record<string, unknown>> {
  const answer = await page.request.get(`${server.url}/api/db/${table}?name=eq.every-kind&select=spec`);
  return ((await answer.json()) as { spec: Record<string, unknown> }[])[0]?.spec ?? {};
}

for (const { of, schema, table, hasPage, tried } of FORMS) {
  test(`${of}: each kind is filled in, tried, seen as YAML and back, saved, edited, taken out and deleted`, async ({
    page,
  }) => {
    const read = readDocumentSchema(JSON.parse(schemaFile(schema) ?? 'null'));
    if (read === null) throw new Error('no schema');
    const kinds = offeredKinds(entryKinds(read)).map(filledOf);
    expect(kinds.length).toBeGreaterThan(15);
    await logIn(page, server.url);
    await page.goto(`${server.url}/settings/${table}?add=true`);
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').first().fill('every-kind');
    for (let at = 0; at < kinds.length; at += AT_A_TIME) {
      const some = kinds.slice(at, at + AT_A_TIME);
      await typeIn(form, some, kinds.slice(Math.max(0, at - AT_A_TIME), at));
      await complete(form, some);
      await tryOut(form, some, tried);
    }

    // All of them in one document, with what a form leaves to YAML.
    await view(form, 'yaml');
    await editorOf(form).fill(`# stays\n${stringify({ schedule: '@every 8000h', ...documentOf(kinds) })}`);
    await view(form, 'form');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('every-kind added successfully')).toBeVisible({ timeout: 60_000 });

    await page.getByRole('link', { name: 'every-kind' }).click();
    if (hasPage) await page.getByRole('link', { name: 'Edit' }).click();
    const edit = page.getByRole('main');

    // One line of each is changed.
    for (const filled of kinds) {
      const change = changeOf(filled);
      if (change === null) continue;
      await fieldOf(entryOf(edit, filled, filled.typed['name']), change.key).fill(change.value);
    }
    await page.getByRole('button', { name: 'Update' }).click();
    const wanted = kinds.map((filled) => {
      const change = changeOf(filled);
      const now = change === null ? filled.typed : { ...filled.typed, [change.key]: change.value };
      return [filled.kind.key, filled.kind.isSingle ? now : [now]] as const;
    });
    await expect
      .poll(() => specOf(page, table), { timeout: 60_000 })
      .toMatchObject(Object.fromEntries(wanted));

    // One is taken out; that of each kind was above, before it was saved.
    await edit
      .getByRole('region')
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Update' }).click();
    await expect
      .poll(async () => Object.keys(await specOf(page, table)).toSorted(), { timeout: 60_000 })
      .toEqual(['schedule', ...kinds.slice(1).map(({ kind }) => kind.key)].toSorted());

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('every-kind deleted successfully')).toBeVisible({ timeout: 60_000 });
  });
}
