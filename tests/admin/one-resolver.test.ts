/**
 * One connection, used by a check, a scraper, a playbook, a notification and a log backend: each of them finds it in the
 * same way, with its secret opened, within the same guard, and says the same of one that is gone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../server/catalog/scrapers/testing/local-server.ts';
import type { LocalServer } from '../../server/catalog/scrapers/testing/local-server.ts';
import { sealStored } from '../../server/connections/keep-sealed.ts';
import { holding } from '../../server/connections/testing/holding-query.ts';
import { kindSetting } from '../../server/health/testing/kind-setting.ts';
import { tryCanary } from '../../server/health/running/try-canary.ts';
import { sendBy } from '../../server/notifications/delivery/ways.ts';
import { ruleById } from '../../server/notifications/rules/rule-query.ts';
import { createSealer } from '../../server/platform/crypto/sealing.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { idRow } from '../../server/platform/db/row-schema.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { createExpressions } from '../../server/platform/expressions/expression-thread.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { addPlaybook, playbookSetting, runWhen } from '../playbooks/support/playbook-setting.ts';
import type { PlaybookSetting } from '../playbooks/support/playbook-setting.ts';

const SECRET = 's3cret-of-the-shop';
const BASIC = `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`;
const COMPONENT = '0190a000-0000-7000-8000-000000000001';
const WAIT = 60_000;
/** As the test server has it. */
const sealer = createSealer(Buffer.alloc(32, 7), nodePlatform);
const expressions = createExpressions(2000);

let db: Database;
let setting: PlaybookSetting;
let admin: PlaybookSetting['editor'];
let service: LocalServer;

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  setting = await playbookSetting(db, { egressAllow: ['127.0.0.1'] });
  admin = await setting.signIn('admin');
  service = await startLocalServer(({ url }) => ({
    body: url.pathname.includes('_search') ? { hits: { total: 0, hits: [] } } : { id: 'a' },
  }));
  await db.run(
    `insert into components (id, external_id, name, namespace, type, status, log_selectors)
     values ($1, 'shop/web', 'web', 'shop', 'Deployment', 'healthy', '[{"name":"app","labels":{"app":"web"}}]')`,
    [COMPONENT],
  );
  const closed = service.url.replace('127.0.0.1', '127.0.0.2');
  for (const [name, url] of [
    ['shop', service.url],
    ['closed', closed],
  ] as const)
    await db.run(
      `insert into connections (name, namespace, type, url, username, password) values ($1, 'default', 'http', $2, 'me', $3)`,
      [name, url, SECRET],
    );
  await db.run(
    `insert into connections (name, namespace, type, url, password, deleted_at) values ('gone', 'default', 'http', $1, $2, now())`,
    [service.url, SECRET],
  );
  await sealStored(db, sealer);
}, WAIT);
afterAll(async () => {
  await Promise.all([service.close(), expressions.close()]);
  await setting.server.stop();
  await db.close();
});
beforeEach(() => {
  service.asked.length = 0;
});

const answered = async (response: Promise<Response>) => JSON.stringify(await (await response).json());

/** What each says of a use of the connection. */
const USES: Readonly<Record<string, (reference: string) => Promise<string>>> = {
  async check(connection) {
    const { guard, secret } = setting.server.backend.outside;
    const context = kindSetting({ guard, secret });
    const request = { name: 'x', namespace: 'default', labels: {}, author: 'user' as const };
    const tried = await tryCanary(
      { db, sealer, expressions, context, isDisabled: () => false },
      { ...request, spec: { http: [{ name: 'x', connection }] }, signal: new AbortController().signal },
    );
    return JSON.stringify(tried);
  },
  scraper: (connection) =>
    answered(
      setting.editor.browser.post('/api/config/try', {
        spec: { http: [{ connection, type: 'Thing', id: '$.id' }] },
      }),
    ),
  async playbook(connection) {
    const name = `call ${nodePlatform.newId()}`;
    const id = await addPlaybook(db, name, { actions: [{ name: 'call', http: { connection } }] });
    return JSON.stringify(await runWhen(db, await setting.press(id)));
  },
  async notification(connection) {
    const services = JSON.stringify([{ name: 'hook', connection }]);
    const [row] = await db.rows(
      idRow,
      `insert into notifications (name, events, custom_services) values ($1, '{check.failed}', $2::jsonb) returning id`,
      [nodePlatform.newId(), services],
    );
    const id = row?.id ?? '';
    const rule = await ruleById(db, id);
    if (rule === null) throw new Error('no rule');
    const { guard, secret } = setting.server.backend.outside;
    const outcome = await sendBy(
      { kind: 'service', owner: 'rule', ownerId: id, at: 0 },
      {
        key: 'k',
        text: { title: 't', body: 'b', links: [], about: null },
        rule,
        doneCalls: 0,
        signal: new AbortController().signal,
      },
      {
        db,
        sealer,
        guard,
        secret,
        mail: null,
        push: () => Promise.reject(new Error('no push')),
        publicUrl: () => 'http://localhost',
        now: () => nodePlatform.now(),
      },
    );
    return JSON.stringify(outcome);
  },
  async 'log backend'(connection) {
    const spec = { elasticsearch: { connection, index: 'logs' } };
    const made = await admin.browser.post('/api/db/logging_backends', { name: 'l', spec, source: 'UI' });
    expect(made.status).toBe(201);
    const said = await answered(
      setting.editor.browser.post('/api/logs', { id: COMPONENT, name: '', query: '' }),
    );
    await db.run('delete from logging_backends');
    return said;
  },
};

describe.each(Object.entries(USES))('a connection of a %s', (_who, use) => {
  it(
    'is opened for the call, by every way to name it, and its secret is in nothing that is said',
    async () => {
      expect(await holding(db, SECRET)).toEqual([]);
      for (const reference of ['connection://default/shop', 'connection://shop']) {
        service.asked.length = 0;
        expect(await use(reference)).not.toContain(SECRET);
        expect(service.asked.map(({ headers }) => headers['authorization'])).toEqual([BASIC]);
      }
    },
    WAIT,
  );

  it(
    'is not called where the guard has closed the place, and says which rule',
    async () => {
      expect(await use('connection://default/closed')).toMatch(
        /127\.0\.0\.2.*not allowed|not allowed.*127\.0\.0\.2/,
      );
      expect(service.asked).toEqual([]);
    },
    WAIT,
  );

  it(
    'that was deleted is named, and nothing is called',
    async () => {
      const said = await use('connection://default/gone');
      expect(said).toMatch(/connection:? connection:\/\/default\/gone was not found/);
      expect(service.asked).toEqual([]);
    },
    WAIT,
  );
});

it('only somebody who may write connections can make, change or try one', async () => {
  const { browser } = setting.editor;
  const row = { name: 'mine', type: 'http', url: service.url };
  expect((await browser.post('/api/db/connections', row)).status).toBe(403);
  const change = await browser.send('PATCH', '/api/db/connections?name=eq.shop', {
    body: JSON.stringify({ url: 'https://elsewhere.example' }),
  });
  expect(change.status).toBe(403);
});
