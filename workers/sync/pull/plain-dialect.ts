/**
 * The plain contract as a dialect (design §4 law 16): polling by `updated_at`, and every ten minutes a sweep over
 * all ids. It can't promise that nothing is late for longer than that, and the app says "polling".
 */
import type { KeyValue } from '../../store/key-value.ts';
import type { CollectionsPull } from './collections-pull.ts';
import type { Dialect } from './dialect.ts';
import type { PlainTables } from './plain-tables.ts';

const SWEPT_AT = 'sweptAt';
const SWEEP_EVERY_MS = 10 * 60_000;

/** One for a store. */
export function createPlainDialect(options: {
  collections: CollectionsPull;
  tables: PlainTables;
  meta: KeyValue;
  serverNow: () => number;
}): Dialect {
  const { collections, tables, meta, serverNow } = options;
  const pull = async (signal: AbortSignal): Promise<string[]> => {
    const changed = await collections.pullAll(signal);
    const sweptAt = await meta.get(SWEPT_AT);
    // A time to come was noted while a clock was wrong.
    const isSweepDue = typeof sweptAt !== 'number' || Math.abs(serverNow() - sweptAt) > SWEEP_EVERY_MS;
    if (isSweepDue) changed.push(...(await collections.sweep(signal)));
    await tables.pull({ isSweep: isSweepDue, signal });
    if (isSweepDue) await meta.set(SWEPT_AT, serverNow());
    return changed;
  };
  return {
    isWhole: () => collections.isWhole(),
    async firstLoad(signal, onProgress) {
      await collections.firstLoad(signal, onProgress);
      await tables.pull({ isSweep: true, signal });
      await meta.set(SWEPT_AT, serverNow());
    },
    pull,
    // A plain server pushes nothing; whatever came is a reason to ask.
    push: (_, signal) => pull(signal),
    cursor: () => Promise.resolve(null),
  };
}
