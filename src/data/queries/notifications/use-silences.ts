/** What silences cover, as the compute worker works it out from this device's rows. */
import { useMemo, useSyncExternalStore } from 'react';
import type { SilencedKind, SilencedUntil, SilencePreview } from '../../../contract/queries/silence-view.ts';
import type { QueryArgs } from '../../../contract/queries/queries.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore, type SubscriptionStore } from '../../client/subscription-store.ts';

const NOTHING: SilencedUntil = {};
/** One question for all rows of a screen. */
const stores = new Map<SilencedKind, SubscriptionStore<SilencedUntil>>();

function storeOf(kind: SilencedKind): SubscriptionStore<SilencedUntil> {
  const known = stores.get(kind);
  if (known !== undefined) return known;
  const made = createSubscriptionStore<SilencedUntil>(NOTHING, (set) => {
    const client = dataClient();
    return client.open.follow(client.askLive('live-silenced', { kind }, set));
  });
  stores.set(kind, made);
  return made;
}

/** Until when a thing is silent, ms; null when it isn't. */
export function useSilencedUntil(kind: SilencedKind, id: string): number | null {
  const store = storeOf(kind);
  return useSyncExternalStore(store.subscribe, () => store.get()[id] ?? null);
}

/** All things of a kind that are silent, each with until when, ms. */
export function useSilenced(kind: SilencedKind): SilencedUntil {
  const store = storeOf(kind);
  return useSyncExternalStore(store.subscribe, store.get);
}

export type SilenceScope = QueryArgs<'live-silence-preview'>;

/** What such a silence would have hidden, and covers; null until there is an answer, and while nothing is asked. */
export function useSilencePreview(scope: SilenceScope | null): SilencePreview | null {
  const text = scope === null ? null : JSON.stringify(scope);
  const store = useMemo(
    () =>
      createSubscriptionStore<SilencePreview | null>(null, (set) => {
        if (text === null) return () => {};
        const client = dataClient();
        const asked = JSON.parse(text) as SilenceScope;
        return client.open.follow(client.askLive('live-silence-preview', asked, set));
      }),
    [text],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
