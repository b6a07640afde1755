/** Log backends of files: their rows follow the files, are the operator's word, and take nothing that was made in the app. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import type { Database } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import { findLogBackend } from '../logs-query.ts';
import { createLogBackendFiles } from './log-backend-files.ts';

const logger = pino({ level: 'silent' });
const sealer = { open: () => Promise.reject(new Error('nothing is sealed here')) } as never;
let db: Database;
let folder: string;
beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  folder = await mkdtemp(join(tmpdir(), 'holdfast-log-backends-'));
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

const document = (name: string, paths: unknown) =>
  `apiVersion: v1\nkind: LogBackend\nmetadata:\n  name: ${name}\n  labels: { team: shop }\nspec:\n  file:\n    paths: ${JSON.stringify(paths)}\n`;
const write = (file: string, ...documents: string[]) =>
  writeFile(join(folder, file), documents.join('---\n'));
/** The rows after the files were taken over anew. */
async function taken() {
  const files = createLogBackendFiles({
    db,
    sealer,
    logger,
    notify: () => undefined,
    settings: { logBackendsDir: folder },
  });
  await files.start();
  await files.stop();
  return db.rows(
    jsonObject,
    `select id, name, source::text as source, labels, spec from logging_backends where deleted_at is null order by name`,
    [],
  );
}
const told = () =>
  db.text(`select string_agg(details::text, ' ') from job_history where name = 'SyncLogBackend'`);

it('rows follow their files, and only those', async () => {
  await write('a.yaml', document('one', ['a/*.log']), document('two', ['b/*.log']), 'kind: Topology\n');
  const [one, two] = await taken();
  expect(one).toMatchObject({
    name: 'one',
    source: 'ConfigFile',
    labels: { team: 'shop' },
    spec: { file: { paths: ['a/*.log'] } },
  });
  expect(two).toMatchObject({ name: 'two' });
  const id = String(one?.['id']);
  expect((await findLogBackend(db, id))?.is_granted).toBe(true);
  // What somebody writes over it is no longer the operator's word.
  await db.run(`update logging_backends set spec = '{"file": {"paths": ["c"]}}' where id = $1`, [id]);
  expect((await findLogBackend(db, id))?.is_granted).toBe(false);

  await db.run(`insert into logging_backends (name, spec, source) values ('mine', '{}', 'UI')`);
  await write('a.yaml', document('one', 7), document('three', ['d']));
  await write('b.yaml', document('mine', ['e']), document('beside', ['f']));
  const rows = await taken();
  // One that is refused keeps what it had; one that is gone from its file goes. One whose name is taken is refused alone.
  expect(rows.map(({ name, source }) => [name, source])).toEqual([
    ['beside', 'ConfigFile'],
    ['mine', 'UI'],
    ['mine (b.yaml)', 'ConfigFile'],
    ['one', 'ConfigFile'],
    ['three', 'ConfigFile'],
  ]);
  expect(rows[3]?.['spec']).toEqual({ file: { paths: ['c'] } });
  expect(await told()).toMatch(/spec\.file\.paths/);
  expect(await told()).toContain(
    'b.yaml:1: metadata.name: there is a log backend mine already, made in the app',
  );
  await rm(join(folder, 'a.yaml'));
  // A name that is given free is the file's.
  await db.run(`update logging_backends set deleted_at = now() where source = 'UI'`);
  expect((await taken()).map(({ name }) => name)).toEqual(['beside', 'mine']);
});
