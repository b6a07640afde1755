/** Every call that the original client makes, as it makes it, on the shared data set (contract §1–§17). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { loadDataset } from '../../../server/app/seed/testing/dataset.ts';
import { openTestBrowser } from '../../security/support/test-browser.ts';
import type { TestBrowser } from '../../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../security/support/test-server.ts';
import type { TestServer } from '../../security/support/test-server.ts';
import { seedStep } from './playbook-seed-query.ts';
import { replay } from './call.ts';
import { AGENT_CALLS } from './agent-calls.ts';
import { NOTIFICATION_CALLS } from './notification-calls.ts';
import { NOTIFICATION_FORM_CALLS } from './notification-form-calls.ts';
import { seedLogs } from './log-seed-query.ts';
import { seedNotifications } from './notification-seed-query.ts';
import { PLAYBOOK_CALLS } from './playbook-calls.ts';
import { RECORD_CALLS } from './record-calls.ts';
import { TOPOLOGY_CALLS } from './topology-calls.ts';
import { WATCH_CALLS } from './watch-calls.ts';
import { WORK_CALLS } from './work-calls.ts';

/** The contract's sections that list calls. */
const SECTIONS =
  '1.2 2.1 2.2 2.4 2.6 3 4 5 6.1 6.2 6.3 6.4 6.5 6.6 7 8 9 10 11 12 13 14.1 14.2 14.3 14.4 15 17'.split(' ');
const CALLS = [
  ...WATCH_CALLS,
  ...TOPOLOGY_CALLS,
  ...WORK_CALLS,
  ...PLAYBOOK_CALLS,
  ...NOTIFICATION_FORM_CALLS,
  ...NOTIFICATION_CALLS,
  ...RECORD_CALLS,
  // Last, because what an agent brought goes with it.
  ...AGENT_CALLS,
];

it('has calls of every section of the contract', () => {
  const covered = new Set(CALLS.map(({ section }) => section));
  expect(SECTIONS.filter((section) => !covered.has(section))).toEqual([]);
});

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;
  let senderId: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-replay-'));
    server = await startTestServer(await openDatabase(), { logs: { folder } });
    await loadDataset(server.db);
    await seedNotifications(server.db);
    await seedStep(server.db);
    await seedLogs(server.db, folder);
    browser = openTestBrowser(server.url);
    const account = await server.account('admin');
    senderId = account.id;
    await browser.signIn(account.email, PASSWORD);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  describe('the original client', () => {
    it.each(CALLS.map((call) => [`§${call.section} ${call.method ?? 'GET'} ${call.name}`, call] as const))(
      '%s',
      (_title, call) => replay(browser, call, senderId),
    );
  });

  describe('pages that moved', () => {
    it.each([
      ['/config/abc?tab=Changes', '/catalog/abc?tab=Changes'],
      ['/config', '/catalog'],
      ['/config/a%2Fb', '/catalog/a%2Fb'],
      ['/settings/notifications/rules', '/notifications/rules'],
      ['/notifications/silence?config_id=1', '/notifications/silences/add?config_id=1'],
    ])('%s leads to %s for good', async (from, to) => {
      const answer = await browser.get(from, { accept: 'text/html' });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
    });
  });

  it('tells strangers nothing', async () => {
    const stranger = openTestBrowser(server.url);
    for (const path of [
      '/api/canary/api/topology',
      '//canary/api/summary',
      '/db/configs',
      '/snapshot/config/1',
    ]) {
      const { status } = await stranger.get(path);
      expect([401, 404], path).toContain(status);
    }
    expect((await stranger.get('/api/_health')).status).toBe(200);
  });
});
