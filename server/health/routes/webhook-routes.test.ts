/** Webhook and catalog checks as a server runs them: from files, on a real database, posted to over HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { createChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { createSealer } from '../../platform/crypto/sealing.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { parseSettings } from '../../platform/settings/settings.ts';
import type { CheckService } from '../check-service.ts';
import { createCheckService } from '../create-check-service.ts';

const TOKEN = 'webhook-token-k9Zq7';
const FILE = `
kind: Canary
metadata: {name: alerts}
spec:
  schedule: "@every 1s"
  webhook:
    name: posted
    token: {value: ${TOKEN}}
    owner: on-call
    metrics:
      - name: alerts_firing
        value: results.json.alerts.filter(a, a.status == 'firing').size()
        labels: [{name: "from", value: outside}, {name: check, valueExpr: check.name}]
    transform:
      expr: >
        results.json.alerts.map(r, {'name': r.name, 'pass': r.status == 'resolved', 'message': r.name + ' ' + r.status}).toJSON()
  catalog:
    - name: classes
      selector: [{types: ["Kubernetes::IngressClass"]}]
      test: {expr: "size(results) > 0 && results[0].config.spec.controller == 'nginx'"}
    - name: one type
      selector: [{type: "Kubernetes::IngressClass"}]
      display: {expr: "results.map(r, r.name).join(' ')"}
`;
const row = z.custom<{ id: string; status: string | null; next: string | null; runs: number }>();

describe('webhook and catalog checks', () => {
  let db: Database;
  let folder: string;
  let checks: CheckService;
  let server: TestServer;
  const check = async (name: string) => {
    const sql = `select id, status, next_runtime::text as next,
      (select count(*)::int from check_statuses where check_id = checks.id) as runs
      from checks where name = $1 and deleted_at is null`;
    return (await db.rows(row, sql, [name]))[0];
  };
  const post = async (body: string, { id, token = TOKEN }: { id?: string; token?: string } = {}) =>
    fetch(`${server.url}/api/canary/webhook/${id ?? (await check('posted'))?.id ?? ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
    });

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    folder = await mkdtemp(join(tmpdir(), 'holdfast-webhook-'));
    await mkdir(join(folder, 'canaries'));
    await writeFile(join(folder, 'canaries', 'alerts.yaml'), FILE);
    const logger = pino({ level: 'silent' });
    const platform = nodePlatform;
    checks = createCheckService({
      db,
      logger,
      platform,
      notifier: createChangeNotifier(platform),
      leases: createLeases({ db, platform, logger, isAlone: true }),
      settings: parseSettings({ DATA_DIR: folder, CANARIES_DIR: join(folder, 'canaries') }, []),
      sealer: createSealer(Buffer.alloc(32, 1), platform),
      url: 'http://127.0.0.1:1',
    });
    server = await startTestServer(db, { checks });
    await checks.start();
    await vi.waitFor(async () => expect((await check('classes'))?.status).toBe('unhealthy'), {
      timeout: 60_000,
    });
  });
  afterAll(async () => {
    await checks.stop(3000);
    await server.stop();
    await db.close();
    await rm(folder, { recursive: true });
  });

  test('what is posted becomes the results, at once; nothing runs by itself', async () => {
    expect(await check('posted')).toMatchObject({ status: null, runs: 0 });
    const { id = '' } = (await check('posted')) ?? {};
    expect(await checks.runCheckNow(id)).toMatchObject({ not_run_reason: expect.stringContaining(id) });
    const alerts = [
      { name: 'disk', status: 'firing' },
      { name: 'cpu', status: 'resolved' },
    ];
    expect((await post(JSON.stringify({ alerts }))).status).toBe(200);
    await expect.poll(async () => (await check('disk'))?.status).toBe('unhealthy');
    expect(await check('cpu')).toMatchObject({ status: 'healthy', next: null });
    expect(await check('posted')).toMatchObject({ status: 'healthy', runs: 1, next: null });
    const seen = await (await fetch(`${server.url}/api/metrics`)).text();
    expect(seen).toContain('# TYPE alerts_firing gauge\nalerts_firing{check="posted",from="outside"} 1\n');
    const owner = z.strictObject({ owner: z.string() });
    expect(await db.rows(owner, `select owner from checks where name = 'posted'`)).toEqual([
      { owner: 'on-call' },
    ]);
  });

  test('a wrong token, an unknown check and a check of another kind are refused alike', async () => {
    const other = (await check('classes'))?.id ?? '';
    const answers = [
      await post('{}', { token: 'wrong' }),
      await post('{}', { token: '' }),
      await post('{}', { id: '20000000-0000-4000-8000-00000000ffff' }),
      await post('{}', { id: other }),
      await post('not json', { token: 'wrong' }),
    ];
    const told = await Promise.all(answers.map(async (one) => [one.status, await one.text()]));
    for (const one of told) expect(one).toEqual(told[0]);
    expect(told[0]?.[0]).toBe(401);
    expect((await post('not json')).status).toBe(400);
  });

  test('what is no result, or too much of one, fails or is refused, and what was known stays', async () => {
    const before = await check('posted');
    expect((await post(JSON.stringify({ alerts: 'x'.repeat(600_000) }))).status).toBe(413);
    const id = before?.id ?? '';
    const plain = await fetch(`${server.url}/api/canary/webhook/${id}?token=${TOKEN}`, {
      method: 'POST',
      body: 'text',
    });
    expect(plain.status).toBe(415);
    expect(await check('posted')).toEqual(before);
    // Taken, and judged: it has no alerts to make checks of.
    expect((await post('{}')).status).toBe(200);
    await expect.poll(async () => (await check('posted'))?.status).toBe('unhealthy');
    expect((await post(JSON.stringify({ alerts: [] }))).status).toBe(200);
    await expect.poll(async () => (await check('posted'))?.status).toBe('healthy');
  });

  test('items of the catalog are found by the selector, with their configuration', async () => {
    await db.run(
      `insert into config_items (name, type, config_class, config) values
        ('nginx', 'Kubernetes::IngressClass', 'Kubernetes', $1::jsonb), ('else', 'Kubernetes::Pod', 'Kubernetes', '{}')`,
      [JSON.stringify({ spec: { controller: 'nginx' } })],
    );
    await expect.poll(async () => (await check('classes'))?.status, { timeout: 60_000 }).toBe('healthy');
    const { id = '' } = (await check('one type')) ?? {};
    expect(await checks.runCheckNow(id)).toMatchObject({ pass: true, message: 'nginx' });
  });
});
