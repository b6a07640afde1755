/** The event queue's law (schema §7.3) on both databases: at least once, one at a time, ever later, never lost. */
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { createChangeNotifier } from './change-notifier.ts';
import type { Database } from '../db/database.ts';
import { forEachDatabase } from '../db/test-databases.ts';
import { nodePlatform } from '../platform.ts';
import { retryEvents } from './event-query.ts';
import { createEventQueue } from './event-queue.ts';
import type { EventHandler } from './event-queue.ts';
import { createLeases } from './leases.ts';

const silent = pino({ level: 'silent' });
const SECOND_MS = 1000;

forEachDatabase((_name, openDatabase) => {
  describe('the event queue', () => {
    let db: Database;
    let aheadMs = 0;
    const platform = { ...nodePlatform, now: () => nodePlatform.now() + aheadMs };
    const notifier = createChangeNotifier(platform);

    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      aheadMs = 0;
      await db.run('delete from event_queue');
    });

    const queueWith = (handler: EventHandler) =>
      createEventQueue({
        db,
        platform,
        logger: silent,
        leases: createLeases({ db, platform, logger: silent }),
        notifier,
        handlers: new Map([['a', handler]]),
        wakesOn: new Set(['incidents']),
      });
    const add = (name: string, id: string, more: { priority?: number; delay?: number } = {}) =>
      db.run('insert into event_queue (name, properties, priority, delay) values ($1, $2::jsonb, $3, $4)', [
        name,
        JSON.stringify({ id }),
        more.priority ?? 100,
        more.delay ?? null,
      ]);
    const rows = () =>
      db.rows(
        z.custom<{ name: string; attempts: number; error: string | null }>(),
        'select name, attempts, error from event_queue order by name',
      );
    const noting =
      (seen: unknown[]): EventHandler =>
      ({ properties }) => {
        seen.push(properties['id']);
        return Promise.resolve();
      };

    it('gives the most important first, then the oldest, and leaves what nobody handles', async () => {
      await add('a', 'old');
      await add('a', 'new');
      await add('a', 'urgent', { priority: 200 });
      await add('b', 'other');
      const seen: unknown[] = [];
      expect(await queueWith(noting(seen)).drain()).toBe(3);
      expect(seen).toEqual(['urgent', 'old', 'new']);
      expect(await rows()).toEqual([{ name: 'b', attempts: 0, error: null }]);
    });

    it('waits out the delay of an event', async () => {
      await add('a', 'later', { delay: 30 * SECOND_MS * 1_000_000 });
      const queue = queueWith(noting([]));
      expect(await queue.drain()).toBe(0);
      aheadMs = 31 * SECOND_MS;
      expect(await queue.drain()).toBe(1);
    });

    it('tries what fails four times, after 1 min, 32 min and 4 h, then keeps it with its error', async () => {
      await add('a', 'x');
      let tries = 0;
      const queue = queueWith(() => {
        tries += 1;
        return Promise.reject(new AppError('network', 'it is away'));
      });
      await queue.drain();
      const waitsMs = [60, 60 * 32, 60 * 243, 60 * 1024, 60 * 1024].map((seconds) => seconds * SECOND_MS);
      for (const [place, waitMs] of waitsMs.entries()) {
        aheadMs += waitMs - 5 * SECOND_MS;
        await queue.drain();
        expect(tries).toBe(Math.min(place + 1, 4));
        aheadMs += 6 * SECOND_MS;
        await queue.drain();
      }
      expect(tries).toBe(4);
      expect(await rows()).toEqual([{ name: 'a', attempts: 4, error: 'it is away' }]);
    });

    it('an event that was given up is tried again when somebody asks, with all its attempts', async () => {
      await add('a', 'x');
      await db.run("update event_queue set attempts = 4, last_attempt = now(), error = 'it is away'");
      const seen: unknown[] = [];
      const queue = queueWith(noting(seen));
      expect(await queue.drain()).toBe(0);
      const ids = await db.rows(z.strictObject({ id: z.string() }), 'select id from event_queue');
      expect(
        await retryEvents(
          db,
          ids.map(({ id }) => id),
        ),
      ).toEqual(['a']);
      // Once asked for, it has not failed any more.
      expect(
        await retryEvents(
          db,
          ids.map(({ id }) => id),
        ),
      ).toEqual([]);
      expect(await queue.drain()).toBe(1);
      expect(seen).toEqual(['x']);
      expect(await rows()).toEqual([]);
    });

    it('does not keep what an error of somebody else says', async () => {
      await add('a', 'x');
      await queueWith(() => Promise.reject(new TypeError('password hunter2'))).drain();
      expect(await rows()).toMatchObject([{ error: 'TypeError' }]);
    });

    it('keeps an event that was asked for again while it was handled', async () => {
      await add('a', 'x');
      let times = 0;
      const queue = queueWith(async () => {
        times += 1;
        if (times === 1) await db.run(`select queue_event('a', '{"id":"x"}'::jsonb)`);
      });
      await queue.drain();
      expect(times).toBe(2);
      expect(await rows()).toEqual([]);
    });

    it('is handled once by two processes', async () => {
      for (let place = 0; place < 20; place += 1) await add('a', `e${place}`);
      const seen: unknown[] = [];
      await Promise.all([queueWith(noting(seen)).drain(), queueWith(noting(seen)).drain()]);
      expect(seen).toHaveLength(20);
      expect(new Set(seen).size).toBe(20);
    });

    it('is woken by a write of this process, and ends when it is told to', async () => {
      const seen: unknown[] = [];
      const ending = new AbortController();
      const running = queueWith(noting(seen)).run(ending.signal);
      await expect.poll(() => rows()).toEqual([]);
      await add('a', 'x');
      notifier.notify('incidents');
      await expect.poll(() => seen).toEqual(['x']);
      ending.abort();
      await running;
    });
  });
});
