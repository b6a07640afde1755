/** Pages of the change log that are asked for ahead: nothing is skipped, brought twice or moved to before it is durable. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLLECTIONS } from '../../../src/contract/collections.ts';
import type { Change, ChangesAnswer } from '../../../src/contract/sync.ts';
import { LogDialect, type LogDialectParts } from './log-dialect.ts';

const NAMES = ['checks', 'components', 'incidents'] as const;

/** A log of so many pages, one change each; the given calls and writes fail, by their number. */
function world(pages: number, failing: { asks: ReadonlySet<number>; writes: ReadonlySet<number> }) {
  const facts = new Map<string, unknown>([['log:cursor', 'log.0']]);
  const durable: string[] = [];
  const asked: string[] = [];
  let writes = 0;
  const merge = async (rows: readonly { id: string }[]) => {
    if (failing.writes.has(writes++)) throw new Error('the disk is full');
    // Whatever is asked for ahead may answer meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 0));
    durable.push(...rows.map(({ id }) => id));
    return [];
  };
  const answerTo = (cursor: string): ChangesAnswer => {
    const at = Number(cursor.split('.')[1]);
    const change = { collection: NAMES[at % 3], id: `row ${at}`, row: { id: `row ${at}` } } as Change;
    return {
      kind: 'page',
      cursor: `log.${at + 1}`,
      is_caught_up: at === pages - 1,
      server_time: '2026-11-26T07:00:00Z',
      readable: [...COLLECTIONS],
      changes: [change],
    };
  };
  const parts = {
    wire: {
      changes: async ({ cursor }: { cursor: string }) => {
        asked.push(cursor);
        if (failing.asks.has(asked.length - 1)) throw new Error('no line');
        return answerTo(cursor);
      },
    },
    meta: {
      get: async (key: string) => facts.get(key),
      set: async (key: string, value: unknown) => void facts.set(key, value),
    },
    kept: Object.fromEntries(COLLECTIONS.map((name) => [name, { merge }])),
    loader: { finish: async () => undefined },
    order: COLLECTIONS,
    onCursor: async (cursor: string) => {
      // All that it covers is there.
      expect(durable).toHaveLength(Number(cursor.split('.')[1]));
    },
  };
  return { dialect: new LogDialect(parts as unknown as LogDialectParts), durable, asked, facts };
}

test('whatever fails, the next pulls bring the rest: every page once, in order', async () => {
  const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 6 }).map((list) => new Set(list));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), numbers, numbers, async (pages, asks, writes) => {
      const { dialect, durable, asked, facts } = world(pages, { asks, writes });
      let pulls = 1;
      while (
        await dialect.pull(new AbortController().signal).then(
          () => false,
          () => true,
        )
      )
        pulls += 1;
      expect(facts.get('log:cursor')).toBe(`log.${pages}`);
      expect(durable).toEqual(Array.from({ length: pages }, (_, at) => `row ${at}`));
      expect(asked.length).toBeLessThanOrEqual(pages + 2 * (pulls - 1));
    }),
  );
});
