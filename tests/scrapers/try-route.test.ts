/** A scraper is tried over HTTP before anybody keeps it: what it would bring, step by step, and nothing is written. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const SECRET = 'a-very-secret-word';

describe('POST /api/config/try', () => {
  let folder: string;
  let server: TestServer;
  let service: Server;
  let origin: string;
  let signedIn: string | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-try-'));
    await mkdir(join(folder, 'data'));
    await writeFile(
      join(folder, 'data/cars.json'),
      '[{"no": "A1", "name": "Ada"}, {"no": "B2", "name": "Bo"}]',
    );
    service = createServer((request, response) => {
      signedIn = request.headers.authorization;
      response.end(JSON.stringify({ no: 'H1', name: `Http ${signedIn ?? 'nobody'}` }));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    server = await startTestServer(await openMigratedDatabase('postgres'), {
      scrapersDir: folder,
      egressAllow: ['loopback'],
    });
  });
  afterAll(async () => {
    service.close();
    await server.stop();
    await server.db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tryAs = async (role: string, spec: object, id: string | null = null) => {
    const browser = openTestBrowser(server.url);
    await browser.signIn((await server.account(role)).email, PASSWORD);
    const answer = await browser.post('/api/config/try', { id, name: 'cars', spec });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const cars = { type: 'Car', id: '$.no', name: '$.name', paths: ['cars.json'] };

  test('tells each entry with its steps and items, and writes nothing', async () => {
    const transform = { expr: '[{"no": config.no + "-x", "name": config.name}].toJSON()' };
    const { status, body } = await tryAs('editor', {
      file: [cars, { ...cars, transform }, { ...cars, paths: ['none.json'] }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      duration_ms: expect.any(Number) as number,
      entries: [
        {
          field: 'file[0]',
          ok: true,
          item_count: 2,
          steps: [
            { step: 'read', ok: true, text: '1 document' },
            { step: 'items', ok: true, text: '2 items' },
          ],
          items: [
            { type: 'Car', name: 'Ada', id: 'A1' },
            { type: 'Car', name: 'Bo', id: 'B2' },
          ],
        },
        { field: 'file[1]', steps: [{ step: 'read' }, { step: 'transform' }, { step: 'items' }] },
        { field: 'file[2]', item_count: 0 },
      ],
    });
    const counted =
      'select ((select count(*) from config_items) + (select count(*) from config_scrapers) + (select count(*) from job_history))::text';
    expect(await server.db.text(counted)).toBe('0');
  });

  test('what is wrong with the specification is told by its field', async () => {
    expect(await tryAs('editor', { retention: { staleItemAge: 'soon' }, file: [cars] })).toMatchObject({
      status: 400,
      body: { field: 'spec.retention.staleItemAge' },
    });
    const { body } = await tryAs('editor', { http: [{ type: 'Car', id: '$.no' }] });
    expect(JSON.stringify(body)).toContain('url');
  });

  test('whoever may not keep a scraper may not try one', async () => {
    for (const role of ['viewer', 'responder'])
      expect((await tryAs(role, { file: [cars] })).status).toBe(403);
  });

  test('a secret comes back as stars, and calls go where calls may go', async () => {
    const authentication = { username: { value: 'ada' }, password: { value: SECRET } };
    const http = { type: 'Car', id: '$.no', name: '$.name', url: origin, authentication };
    const tried = await tryAs('editor', { http: [http] });
    expect(tried).toMatchObject({ status: 200, body: { entries: [{ ok: true, item_count: 1 }] } });
    expect(JSON.stringify(tried)).not.toContain(SECRET);
    const metadata = await tryAs('editor', { http: [{ ...http, url: 'http://169.254.169.254/latest' }] });
    expect(metadata).toMatchObject({ status: 200, body: { entries: [{ ok: false, item_count: 0 }] } });
  });

  test('of one that is changed the kept secret is used, but at its address only', async () => {
    const authentication = { username: { value: 'ada' }, password: { value: SECRET } };
    const http = { type: 'Car', id: '$.no', name: '$.name', url: origin, authentication };
    const id = await server.db.text(
      `insert into config_scrapers (name, source, spec, is_paused) values ('kept', 'UI', $1::jsonb, true) returning id::text`,
      [JSON.stringify({ http: [http] })],
    );
    const stars = { ...authentication, password: { value: '***' } };
    const changed = { ...http, name: '$.no', authentication: stars };
    expect(await server.db.text('select spec::text from config_scrapers')).toContain('***');

    signedIn = undefined;
    const tried = await tryAs('editor', { http: [changed] }, id);
    expect(tried).toMatchObject({ status: 200, body: { entries: [{ ok: true, item_count: 1 }] } });
    expect(signedIn).toBe(`Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`);
    expect(JSON.stringify(tried)).not.toContain(SECRET);

    signedIn = undefined;
    const elsewhere = await tryAs('editor', { http: [{ ...changed, url: `${origin}/other` }] }, id);
    expect(JSON.stringify(elsewhere.body)).toContain('enter it again');
    expect(signedIn).toBeUndefined();
  });
});
