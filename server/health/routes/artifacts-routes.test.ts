/** Files that scripts of checks leave: kept with their run, for whoever may read checks, and nothing from elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { runKind } from '../testing/run-kind.ts';
import { deleteExpiredArtifacts, saveArtifacts } from '../results/artifact-query.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';

const TIME = '2026-01-02T03:04:05.678Z';

const run = (script: string, ...paths: string[]) =>
  runKind('exec', { script, artifacts: paths.map((path) => ({ path })) });

describe('files that a script leaves', () => {
  it('are those that its patterns name, in folders too', async () => {
    const { files } = await run(
      'mkdir -p out/deep; echo a > out/a.txt; echo b > out/deep/b.txt; echo c > c',
      'out/**',
    );
    expect(files?.map(({ name, content }) => [name, String(content)])).toEqual([
      ['out/a.txt', 'a\n'],
      ['out/deep/b.txt', 'b\n'],
    ]);
  });

  it.each(['/etc/hostname', '../*', 'out/../../*', '..\\x'])(
    '%s leads outside and is refused',
    async (path) => {
      expect(await run('true', path)).toMatchObject({ pass: false, invalid: true, error: /leads out/ });
    },
  );

  it('are never what a link leads to, nor a pipe, nor too large, nor too many; the rest is kept and that is said', async () => {
    const links = 'ln -s /etc/passwd link; ln -s /etc folder; mkfifo pipe';
    const big =
      'head -c 1048577 /dev/zero > big; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $n > "f$n"; done';
    const { files, message } = await run(`${links}; ${big}`, '**');
    const names = files?.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThanOrEqual(10);
    for (const name of names) expect(name).toMatch(/^f\d+$/);
    expect(message).toMatch(/larger than 1048576 bytes[^]*the first 10 are kept/);
    expect(await run(links, 'folder/*')).toMatchObject({ files: [] });
  });

  it('have no secrets in them that the run read', async () => {
    const redactor = createRedactor();
    redactor.note('hunter2-hunter2!');
    const content = Buffer.from([255, ...Buffer.from('x hunter2-hunter2! y')]);
    const outcome = {
      files: [{ name: 'a', content }],
      message: null,
      error: null,
      notRun: null,
      detail: null,
      data: {},
    };
    // Only what cleaning looks at.
    const cleaned = redactor.clean(outcome as unknown as Parameters<typeof redactor.clean>[0]);
    expect(cleaned.files?.[0]?.content.toString('latin1')).toBe('\u00ffx *** y');
  });
});

forEachDatabase((kind, open) => {
  describe(`kept files on ${kind}`, () => {
    let db: Database;
    let server: TestServer;
    let checkId = '';
    beforeAll(async () => {
      db = await open();
      server = await startTestServer(db);
      const [canary] = await db.rows(
        z.custom<{ id: string }>(),
        `insert into canaries (name, namespace, spec, source) values ('c', 'default', '{}'::jsonb, 'test') returning id`,
      );
      const [check] = await db.rows(
        z.custom<{ id: string }>(),
        `insert into checks (canary_id, type, name) values ($1, 'exec', 'a') returning id`,
        [canary?.id ?? ''],
      );
      checkId = check?.id ?? '';
    });
    afterAll(() => server.stop());
    async function viewer() {
      const browser = openTestBrowser(server.url);
      await browser.signIn((await server.account('viewer')).email, PASSWORD);
      return browser;
    }

    it('a viewer finds them by their run and downloads them byte for byte; nobody else does', async () => {
      const content = Buffer.from([0, 255, 10, 65]);
      await saveArtifacts(db, { checkId, time: TIME }, [{ name: 'out/a "b".bin', content }]);
      const browser = await viewer();
      const list: unknown = await (await browser.get(`/api/artifacts/list/check/${checkId}/${TIME}`)).json();
      expect(list).toMatchObject([{ filename: 'out/a "b".bin', size: 4, check_id: checkId }]);
      const id = (list as { id: string }[])[0]?.id ?? '';
      const answer = await browser.get(`/api/artifacts/download/${id}`);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''a%20%22b%22.bin`);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
      expect((await openTestBrowser(server.url).get(`/api/artifacts/download/${id}`)).status).toBe(401);
      await db.run('update artifacts set expires_at = now() where id = $1', [id]);
      expect((await browser.get(`/api/artifacts/download/${id}`)).status).toBe(404);
      await deleteExpiredArtifacts(db);
      expect(await db.text('select count(*)::text from artifact_contents')).toBe('0');
    });

    it('a check keeps its newest fifty, and none outlives it', async () => {
      for (let run = 0; run < 6; run += 1) {
        const files = Array.from({ length: 10 }, (_unused, at) => ({
          name: `f${at}`,
          content: Buffer.from('x'),
        }));
        await saveArtifacts(
          db,
          { checkId, time: new Date(Date.parse(TIME) + run * 1000).toISOString() },
          files,
        );
      }
      expect(await db.text('select count(*)::text from artifact_contents')).toBe('50');
      expect(await db.text('select min(check_time)::text from artifacts')).toContain(':06.678');
      await db.run('delete from checks where id = $1', [checkId]);
      expect(await db.text('select count(*)::text from artifact_contents')).toBe('0');
    });
  });
});
