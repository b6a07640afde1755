import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';
import { seedDatabase } from '../../../app/seed/seed-query.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';

forEachDatabase((_name, openDatabase) => {
  describe('pages of rows over HTTP', () => {
    let server: TestServer;
    let browser: TestBrowser;

    beforeAll(async () => {
      const db = await openDatabase();
      await seedDatabase(db, { checks: 100, configs: 0, components: 0, seed: 1, nowMs: Date.now() });
      server = await startTestServer(db);
      const { email } = await server.account('viewer');
      browser = openTestBrowser(server.url);
      await browser.signIn(email, PASSWORD);
    });
    afterAll(() => server.stop());

    it('a partial page is compressed, and still says which rows of how many it holds', async () => {
      const answer = await browser.get('/api/db/check_summary?limit=60&order=id', {
        'accept-encoding': 'br, gzip',
        prefer: 'count=exact',
      });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe('0-59/100');
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(await answer.json()).toHaveLength(60);
    });

    it('a write that is answered without a body says no type of it', async () => {
      const { email, id } = await server.account('editor');
      const editor = openTestBrowser(server.url);
      await editor.signIn(email, PASSWORD);
      const none = { prefer: 'return=minimal' };
      const added = await editor.post('/api/db/saved_query', { query: 'a' }, none);
      expect([added.status, added.headers.get('content-type'), await added.text()]).toEqual([201, null, '']);
      const changed = await editor.send('PATCH', `/api/db/saved_query?created_by=eq.${id}`, {
        body: JSON.stringify({ query: 'b' }),
        headers: none,
      });
      expect([changed.status, changed.headers.get('content-type')]).toEqual([204, null]);
      const nothing = await editor.post('/api/db/saved_query', [], {
        prefer: 'return=representation,resolution=merge-duplicates',
      });
      expect([nothing.status, await nothing.json()]).toEqual([200, []]);
    });

    it('a whole answer is 200, and an error keeps its own status', async () => {
      const whole = await browser.get('/api/db/checks?select=id&order=id', { prefer: 'count=exact' });
      expect(whole.status).toBe(200);
      expect(whole.headers.get('content-range')).toBe('0-99/100');
      expect((await browser.get('/api/db/checks?nothing=eq.1')).status).toBe(400);
    });
  });
});
