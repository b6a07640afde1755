/** Trying checks that nobody has kept: real calls, real scripts, and nothing written. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSealer } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { createEgressGuard } from '../../platform/egress/egress-guard.ts';
import { resolveBySystem } from '../../platform/egress/platform-network.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { kindSetting } from '../testing/kind-setting.ts';
import { tryCanary } from './try-canary.ts';

const PASSWORD = 'correct-horse-battery-9';
const expressions = createExpressions(2000);
let service: Server;
let db: Database;
let url: string;
let signedIn: string | undefined;

beforeAll(async () => {
  db = await openMigratedDatabase('pglite');
  service = createServer((request, response) => {
    // A service that tells what it was sent, as some do.
    signedIn = request.headers.authorization;
    response.end(JSON.stringify({ seen: signedIn ?? '', queue: 3 }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/status`;
});
afterAll(async () => {
  await Promise.all([expressions.close(), db.close()]);
  service.close();
});

function tried(
  spec: Record<string, unknown>,
  over: { allow?: string[]; disabled?: string; id?: string; author?: 'user' | 'granter' } = {},
) {
  const allow = over.allow ?? ['127.0.0.1'];
  const guard = createEgressGuard({
    allow,
    deny: [],
    resolve: resolveBySystem,
    ownNetworks: () => [],
    ownDatabase: null,
  });
  return tryCanary(
    {
      db,
      sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
      expressions,
      context: kindSetting({ guard, isExecAllowed: false }),
      isDisabled: (kind) => kind === over.disabled,
    },
    {
      id: over.id,
      name: 'shop',
      namespace: 'default',
      labels: {},
      spec,
      author: over.author ?? 'user',
      signal: new AbortController().signal,
    },
  );
}

describe('trying checks', () => {
  test('tells the result, the time and each script, and writes nothing', async () => {
    const [first, ...made] = await tried({
      schedule: 'rubbish',
      http: [
        {
          name: 'front',
          url,
          display: { expr: "'queue of ' + string(json.queue)" },
          test: { expr: 'json.queue < 2' },
        },
      ],
    });
    expect(made).toEqual([]);
    expect(first).toMatchObject({
      type: 'http',
      name: 'front',
      outcome: 'failed',
      message: 'queue of 3',
      error: 'the test is false',
      steps: [
        { step: 'call', ok: true },
        { step: 'display', ok: true, text: 'queue of 3' },
        { step: 'test', ok: false, text: 'false' },
      ],
    });
    expect(JSON.parse(first?.data ?? '')).toMatchObject({ json: { queue: 3 } });
    for (const table of ['canaries', 'checks', 'check_statuses'])
      expect(await db.rows(z.object({ n: z.number() }), `select count(*)::int as n from ${table}`)).toEqual([
        { n: 0 },
      ]);
  });

  test('what a transform makes stands behind the check that made it', async () => {
    const made = await tried({
      http: [
        {
          name: 'front',
          url,
          transform: { expr: "[{'name': 'a', 'pass': true}, {'name': 'b', 'pass': false}].toJSON()" },
        },
      ],
    });
    expect(made.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['front', 'passed'],
      ['a', 'passed'],
      ['b', 'failed'],
    ]);
  });

  test('a secret that it uses is in no part of the answer, also where the service repeats it', async () => {
    const answer = await tried({
      http: [
        {
          name: 'front',
          url,
          username: 'ada',
          password: { value: PASSWORD },
          display: { expr: 'json.seen' },
        },
      ],
    });
    const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    const text = JSON.stringify(answer);
    expect(answer[0]).toMatchObject({ outcome: 'passed' });
    for (const secret of [PASSWORD, basic]) expect(text).not.toContain(secret);
  });

  test.each<[string, Record<string, unknown>, object, RegExp]>([
    [
      'a place that users may not call',
      { http: [{ name: 'a', url: 'http://169.254.169.254/' }] },
      { allow: [] },
      /169\.254|not allowed|address/,
    ],
    ['a program, where none are allowed', { exec: [{ name: 'a', script: 'true' }] }, {}, /ALLOW_EXEC/],
    [
      'a kind that is switched off',
      { tcp: [{ name: 'a', endpoint: 'localhost:1' }] },
      { disabled: 'tcp' },
      /switched off/,
    ],
  ])('is refused by the rules of kept checks: %s', async (_what, spec, over, why) => {
    const [first] = await tried(spec, over);
    expect(first).toMatchObject({ outcome: 'not-run', error: expect.stringMatching(why) as unknown });
  });

  test.each<[Record<string, unknown>, RegExp, string]>([
    [{ htpp: [] }, /did you mean "http"/, 'spec.htpp'],
    [{ http: [{ name: 'a', urll: 'x' }] }, /did you mean "url"/, 'spec.http[0].urll'],
    [{}, /no checks/, 'spec'],
    [
      { tcp: Array.from({ length: 21 }, (_, n) => ({ name: `n${n}`, endpoint: 'a:1' })) },
      /at most 20/,
      'spec',
    ],
  ])('what can not be read is told with its field: %#', async (spec, message, field) => {
    await expect(tried(spec)).rejects.toMatchObject({
      code: 'invalid',
      field,
      message: expect.stringMatching(message) as unknown,
    });
  });

  test('of a canary that is changed what it keeps secret is used, but at its address only', async () => {
    const front = { name: 'front', url, username: 'ada', password: { value: PASSWORD } };
    const id = await db.text(
      `insert into canaries (name, namespace, spec) values ('shop', 'default', $1::jsonb) returning id::text`,
      [JSON.stringify({ http: [front] })],
    );
    const changed = { ...front, password: { value: '***' }, thresholdMillis: 30_000 };
    signedIn = undefined;
    expect(await tried({ http: [changed] }, { id: id ?? '' })).toMatchObject([{ outcome: 'passed' }]);
    expect(signedIn).toBe(`Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`);
    signedIn = undefined;
    expect(await tried({ http: [{ ...changed, url: `${url}/other` }] }, { id: id ?? '' })).toMatchObject([
      { outcome: 'invalid', error: expect.stringContaining('enter it again') as unknown },
    ]);
    expect(signedIn).toBeUndefined();
    // Whoever may not read a secret has no script write it so that it is not found.
    const address = url.replace('://', `://ada:${PASSWORD}@`);
    const reversed = (text: string) => text.split('').toReversed().join('');
    await db.run('update canaries set spec = $2::jsonb where id = $1', [
      id,
      JSON.stringify({ http: [{ url: address }] }),
    ]);
    const javascript = `(check.name + ' ' + check.endpoint).split('').reverse().join('')`;
    const shown = { http: [{ url: url.replace('://', '://***@'), display: { javascript } }] };
    const [told] = await tried(shown, { id: id ?? '' });
    expect(told).toMatchObject({ outcome: 'passed', message: expect.stringContaining('@***') as unknown });
    expect(JSON.stringify(told)).not.toContain(reversed(PASSWORD));
    await db.run('update canaries set spec = $2::jsonb where id = $1', [
      id,
      JSON.stringify({ http: [front] }),
    ]);
    // As it would be kept for whoever may write connections.
    const moved = { http: [{ ...changed, url: `${url}/other` }] };
    expect(await tried(moved, { id: id ?? '', author: 'granter' })).toMatchObject([{ outcome: 'passed' }]);
    expect(signedIn).toBeDefined();
  });
});
