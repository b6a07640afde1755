/** An agent's pull: the canaries that people keep upstream for it run here, as they are there. */
import { isDeepStrictEqual } from 'node:util';
import { openContent, type Opener } from '../../platform/crypto/sealed-values.ts';
import type { Transactions } from '../../platform/db/database.ts';
import { knownCanaries, removePulled, storePulled, type KnownCanary } from './pulled-query.ts';
import type { PulledCanary, UpstreamClient } from './upstream-client.ts';

interface PullDeps {
  db: Transactions;
  client: Pick<UpstreamClient, 'canaries'>;
  sealer: Opener;
  notify: (table: string) => void;
}

function isSame(opener: Opener, pulled: PulledCanary, known: KnownCanary | undefined): boolean {
  if (known === undefined) return false;
  const { id, name, namespace, labels, annotations, spec, sealed } = known;
  const content = openContent(opener, { id, owner: name, content: spec, sealed });
  const wanted = [pulled.name, pulled.namespace, pulled.labels, pulled.annotations, pulled.spec];
  return isDeepStrictEqual([name, namespace, labels, annotations, content], wanted);
}

/** Takes over what changed, in one transaction; what upstream no longer names ends here. */
export async function pullIn({ db, client, sealer, notify }: PullDeps, signal: AbortSignal): Promise<void> {
  const pulled = (await client.canaries(signal)).filter(({ deleted_at: at }) => (at ?? null) === null);
  const known = new Map((await knownCanaries(db)).map((canary) => [canary.id, canary]));
  const changed = pulled.filter((canary) => !isSame(sealer, canary, known.get(canary.id)));
  const wanted = new Set(pulled.map(({ id }) => id));
  const gone = [...known.keys()].filter((id) => !wanted.has(id));
  if (changed.length === 0 && gone.length === 0) return;
  await db.transaction(async (tx) => {
    await removePulled(tx, gone);
    await storePulled(tx, changed);
  });
  notify('canaries');
}
