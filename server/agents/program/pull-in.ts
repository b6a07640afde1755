/** An agent's pull: the canaries and scrapers that people keep upstream for it run here, as they are there. */
import { isDeepStrictEqual } from 'node:util';
import { openContent, type Opener } from '../../platform/crypto/sealed-values.ts';
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import {
  knownCanaries,
  knownScrapers,
  ownAmong,
  removePulled,
  removePulledScrapers,
  storePulled,
  storePulledScrapers,
} from './pulled-query.ts';
import type { UpstreamClient } from './upstream-client.ts';

interface PullDeps {
  db: Transactions & Queryable;
  client: Pick<UpstreamClient, 'canaries' | 'scrapers'>;
  sealer: Opener;
  notify: (table: string) => void;
}

interface Pulled {
  id: string;
  name: string;
  spec: Record<string, unknown>;
  deleted_at?: string | null | undefined;
}

interface Known {
  id: string;
  name: string;
  spec: unknown;
  sealed: Record<string, string>;
}

/** What runs here of one table, and how it is written. */
interface PulledTable<Row extends Pulled> {
  name: 'canaries' | 'config_scrapers';
  pulled: readonly Row[];
  known: readonly Known[];
  /** Besides the specification. */
  factsOf: (row: Row | Known) => unknown[];
  store: (tx: Queryable, rows: readonly Row[]) => Promise<void>;
  remove: (tx: Queryable, ids: readonly string[]) => Promise<void>;
}

/** Takes over what changed, in one transaction; what upstream no longer names ends here. */
async function takeOver<Row extends Pulled>(
  { db, sealer, notify }: PullDeps,
  table: PulledTable<Row>,
): Promise<void> {
  const live = table.pulled.filter(({ deleted_at: at }) => (at ?? null) === null);
  const own = await ownAmong(
    db,
    table.name,
    live.map(({ id }) => id),
  );
  const wanted = live.filter(({ id }) => !own.has(id));
  const known = new Map(table.known.map((row) => [row.id, row]));
  const changed = wanted.filter((row) => {
    const before = known.get(row.id);
    if (before === undefined) return true;
    const { id, name, spec, sealed } = before;
    const content = openContent(sealer, { id, owner: name, content: spec, sealed });
    return !isDeepStrictEqual([...table.factsOf(before), content], [...table.factsOf(row), row.spec]);
  });
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const gone = [...known.keys()].filter((id) => !wantedIds.has(id));
  if (changed.length === 0 && gone.length === 0) return;
  await db.transaction(async (tx) => {
    await table.remove(tx, gone);
    await table.store(tx, changed);
  });
  notify(table.name);
}

const fieldsOf =
  (...names: string[]) =>
  (row: object) =>
    names.map((name) => (row as Record<string, unknown>)[name] ?? null);

/** Pulls once. */
export async function pullIn(deps: PullDeps, signal: AbortSignal): Promise<void> {
  const { db, client } = deps;
  await takeOver(deps, {
    name: 'canaries',
    pulled: await client.canaries(signal),
    known: await knownCanaries(db),
    factsOf: fieldsOf('name', 'namespace', 'labels', 'annotations'),
    store: storePulled,
    remove: removePulled,
  });
  await takeOver(deps, {
    name: 'config_scrapers',
    pulled: await client.scrapers(signal),
    known: await knownScrapers(db),
    factsOf: fieldsOf('name', 'namespace', 'description'),
    store: storePulledScrapers,
    remove: removePulledScrapers,
  });
}
