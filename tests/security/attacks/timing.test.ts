/**
 * Time does not tell who has an account. Each promise compares the medians of samples that were taken in turn, so
 * that what slows the machine slows both; the bounds are wide, because what a shortcut would save is all of the work.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { openForm, sendForm } from '../support/identity-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const SAMPLES = 15;
const ROUNDS = 3;
/** Hashing a password takes several times what all the rest of the answer does. */
const FACTOR = 2;
/** Longer than any limit on attempts lasts. */
const LATER_MS = 2 * 3_600_000;

vi.setConfig({ testTimeout: 300_000 });

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

forEachDatabase((_name, openDatabase) => {
  describe('nobody learns by the clock who has an account', () => {
    let server: TestServer;
    let known = '';
    let blocked = '';
    beforeAll(async () => {
      server = await startTestServer(await openDatabase());
      known = (await server.account('viewer')).email;
      const off = await server.account('viewer');
      blocked = off.email;
      await server.db.run(`update identities set state = 'inactive' where id = $1`, [off.id]);
    });
    afterAll(() => server.stop());

    /** Makes ready, and answers the part whose time counts. */
    type Attempt = () => Promise<() => Promise<void>>;

    /** Both ways in turn; answers the medians in ms. */
    async function compare(one: Attempt, other: Attempt): Promise<[number, number]> {
      const took: [number[], number[]] = [[], []];
      const timed = async (attempt: Attempt) => {
        const work = await attempt();
        const startedMs = performance.now();
        await work();
        return performance.now() - startedMs;
      };
      await timed(one);
      await timed(other);
      for (let index = 0; index < SAMPLES; index += 1) {
        server.advance(LATER_MS);
        took[0].push(await timed(one));
        took[1].push(await timed(other));
      }
      return [median(took[0]), median(took[1])];
    }

    /** A shortcut shows every time; a machine that had something else to do, only once. */
    async function expectAlike(...ways: [Attempt, Attempt]): Promise<void> {
      const seen: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [one, other] = await compare(...ways);
        if (one < other * FACTOR && other < one * FACTOR) return;
        seen.push(`${one} ms against ${other} ms`);
      }
      expect(seen, 'the times of both ways differ').toEqual([]);
    }

    const tryPassword = (email: string) => async () => {
      const browser = openTestBrowser(server.url);
      const form = await openForm(browser, 'login');
      const fields = { method: 'password', identifier: email, password: 'not the password at all' };
      return async () => {
        expect((await sendForm(browser, { kind: 'login', form, fields })).status).toBe(400);
      };
    };

    it('by a sign-in with a wrong password', async () => {
      await expectAlike(tryPassword(known), tryPassword('nobody@example.com'));
      await expectAlike(tryPassword(known), tryPassword(blocked));
    });

    it('by HTTP Basic', async () => {
      const ask = (user: string) => async () => {
        const authorization = `Basic ${Buffer.from(`${user}:not the password at all`).toString('base64')}`;
        const browser = openTestBrowser(server.url);
        return async () => {
          expect((await browser.get('/api/auth/whoami', { authorization })).status).toBe(401);
        };
      };
      await expectAlike(ask(known), ask('nobody@example.com'));
    });

    it('by asking for a recovery mail, whose answer is the same, too', async () => {
      const texts = new Set<string>();
      const ask = (email: string) => async () => {
        const browser = openTestBrowser(server.url);
        const form = await openForm(browser, 'recovery');
        return async () => {
          const answer = await sendForm(browser, {
            kind: 'recovery',
            form,
            fields: { method: 'code', email },
          });
          const body = (await answer.json()) as { ui: { messages: unknown[] }; state: string };
          texts.add(JSON.stringify([answer.status, body.state, body.ui.messages]));
        };
      };
      await expectAlike(ask(known), ask('nobody@example.com'));
      expect(texts.size).toBe(1);
    });
  });
});
