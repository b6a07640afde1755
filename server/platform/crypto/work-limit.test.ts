import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorkLimit } from './work-limit.ts';

it('never runs or keeps more than it may, refuses the rest, and serves in the order of coming', async () => {
  const sizes = { running: fc.integer({ min: 1, max: 4 }), waiting: fc.integer({ min: 0, max: 4 }) };
  const works = fc.array(fc.boolean(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), works, fc.scheduler(), async (size, isFailing, scheduler) => {
      const limit = createWorkLimit(size);
      const started: number[] = [];
      let running = 0;
      let most = 0;
      const calls = isFailing.map((fails, index) =>
        limit.run(async () => {
          started.push(index);
          running += 1;
          most = Math.max(most, running);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          if (fails) throw new Error('failed');
        }),
      );
      const settled = Promise.allSettled(calls);
      await scheduler.waitFor(settled);
      const taken = Math.min(isFailing.length, size.running + size.waiting);
      expect(most).toBeLessThanOrEqual(size.running);
      expect(started).toEqual([...started].sort((a, b) => a - b));
      expect(started).toHaveLength(taken);
      const refused = (await settled).filter(
        (one) => one.status === 'rejected' && (one.reason as Error).message.includes('busy'),
      );
      expect(refused).toHaveLength(isFailing.length - taken);
      // Failures gave their places back.
      await expect(scheduler.waitFor(limit.run(() => Promise.resolve('free')))).resolves.toBe('free');
    }),
  );
});
