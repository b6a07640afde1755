/** Playbooks as they are given: each runs, or is refused with a sentence that has the path and the fix. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

const FOLDER = '../shared/fixtures/playbooks';
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:json|ya?ml)$/.test(name),
);
/** What is said of those that can't be run; the others run to their end. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'schema/playbook-invalid.json': ['spec.actions[0].name', 'spec.actions[0].exec.script', 'command'],
};

let db: Database;
let setting: PlaybookSetting;
beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  setting = await playbookSetting(db);
});
afterAll(async () => {
  await setting.server.stop();
  await db.close();
});

it('there are some', () => {
  expect(FILES.length).toBeGreaterThan(0);
  expect(FILES).toEqual(expect.arrayContaining(Object.keys(REFUSED)));
});

it.each(FILES)('%s', async (name) => {
  // YAML takes JSON as well.
  const spec = z.record(z.string(), z.unknown()).parse(parse(readFileSync(`${FOLDER}/${name}`, 'utf8')));
  const answer = await setting.editor.browser.send('POST', '/api/db/playbooks', {
    body: JSON.stringify({ name, title: name, source: 'UI', spec }),
    headers: { prefer: 'return=representation', 'content-type': 'application/json' },
  });
  const text = await answer.text();
  const words = REFUSED[name];
  if (words !== undefined) {
    expect(answer.status, text).toBe(400);
    for (const word of words) expect(text).toContain(word);
    return;
  }
  expect(answer.status, text).toBe(201);
  const [row] = z.array(z.object({ id: z.string() })).parse(JSON.parse(text));
  const run = await runWhen(db, await setting.press(row?.id ?? ''));
  expect(run).toMatchObject({ status: 'completed', error: null });
  expect(run.actions.map(({ status }) => status)).not.toContain('failed');
});
