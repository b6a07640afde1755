/** Run now over HTTP: who may, what is answered, and what a page that is open then finds. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const NOBODY = '018f4c4e-0000-7000-8000-000000000001';

forEachDatabase((_kind, open) => {
  let db: Database;
  let folder: string;
  let server: TestServer;

  beforeAll(async () => {
    db = await open();
    folder = await mkdtemp(join(tmpdir(), 'holdfast-run-'));
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data/car.json'), '{"reg_no": "A123"}');
    server = await startTestServer(db, { scrapersDir: folder });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const scraper = async (spec: object) =>
    (await db.text(
      `insert into config_scrapers (name, source, spec) values ('cars', 'UI', $1::jsonb) returning id::text`,
      [JSON.stringify(spec)],
    )) ?? '';
  const signedIn = async (role: string) => {
    const browser = openTestBrowser(server.url);
    const { email } = await server.account(role);
    await browser.signIn(email, PASSWORD);
    return browser;
  };

  test('an editor runs a scraper and is told what came in', async () => {
    const id = await scraper({ file: [{ type: 'Car', id: '$.reg_no', paths: ['car.json'] }] });
    const editor = await signedIn('editor');
    const answer = await editor.post(`/api/config/run/${id}`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { scrape_summary: { Car: { added: 1, updated: 0, unchanged: 0 } } },
    ]);
    const jobs = await editor.get(
      `/api/db/job_histories?resource_id=eq.${id}&select=name,status,resource_type`,
    );
    expect(await jobs.json()).toContainEqual({
      name: 'Scrape',
      status: 'SUCCESS',
      resource_type: 'config_scraper',
    });
  });

  test('a scraper that is not there, and one that is refused, are told apart', async () => {
    const editor = await signedIn('editor');
    expect((await editor.post(`/api/config/run/${NOBODY}`)).status).toBe(404);
    expect((await editor.post('/api/config/run/nonsense')).status).toBe(404);
    const id = await scraper({ schedule: 'sometimes', file: [] });
    const refused = await editor.post(`/api/config/run/${id}`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('its job history says why'),
    ]);
  });

  test('viewers may not, and nothing runs', async () => {
    const id = await scraper({ file: [{ type: 'Car', id: '$.reg_no', paths: ['car.json'] }] });
    const viewer = await signedIn('viewer');
    expect((await viewer.post(`/api/config/run/${id}`)).status).toBe(403);
    expect(await db.rows(z.unknown(), 'select id from job_history where resource_id = $1', [id])).toEqual([]);
  });
});
