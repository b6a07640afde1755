import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('never more at a time than may be, in their order; those that leave or fail hold up nobody', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.scheduler(),
      fc.array(fc.constantFrom('ends', 'fails', 'leaves'), { maxLength: 12 }),
      async (atOnce, scheduler, kinds) => {
        const turns = new Turns(atOnce);
        const begun: number[] = [];
        let under = 0;
        let most = 0;
        const all = kinds.map(async (kind, at) => {
          const leaving = new AbortController();
          const done = turns.during(leaving.signal, async () => {
            begun.push(at);
            under += 1;
            most = Math.max(most, under);
            await scheduler.schedule(Promise.resolve());
            under -= 1;
            if (kind === 'fails') throw new Error('failed');
          });
          if (kind === 'leaves') leaving.abort();
          await done.catch(() => undefined);
        });
        await scheduler.waitFor(Promise.all(all));
        expect(most).toBeLessThanOrEqual(atOnce);
        expect(begun).toEqual(begun.toSorted((a, b) => a - b));
        for (const [at, kind] of kinds.entries()) if (kind !== 'leaves') expect(begun).toContain(at);
        expect(turns.areTaken).toBe(false);
      },
    ),
  );
});

it('whoever comes with a signal that is over already takes no turn', async () => {
  const turns = new Turns(1);
  await expect(turns.during(AbortSignal.abort(), () => Promise.resolve())).rejects.toThrow();
  expect(turns.areTaken).toBe(false);
});
