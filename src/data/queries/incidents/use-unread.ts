import { useMemo, useSyncExternalStore } from 'react';
import type { News, UnreadIncident, UnreadNews } from '../../../domain/incident/unread.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore, type SubscriptionStore } from '../../client/subscription-store.ts';
import { useSession } from '../../session/use-session.ts';

export interface Unread {
  /** False until what this device has was looked through. */
  isLoaded: boolean;
  /** How many things are new, over all incidents that concern the user. */
  total: number;
  /** How many by incident; an incident without news isn't in it. */
  byIncident: ReadonlyMap<string, number>;
  /** The newest of each incident: who has seen it has read up to there. */
  newest: ReadonlyMap<string, string>;
  /** Mentions, calls for help, comments and changes of status; unread first, then the newest. */
  news: readonly News[];
}

const NOTHING: UnreadNews = { isLoaded: false, total: 0, incidents: [], news: [] };

/** One subscription for all who look, whoever is signed in. */
let shared: { userId: string; store: SubscriptionStore<UnreadNews> } | null = null;

function storeOf(userId: string): SubscriptionStore<UnreadNews> {
  if (shared?.userId === userId) return shared.store;
  const store = createSubscriptionStore<UnreadNews>(NOTHING, (set) => {
    const client = dataClient();
    return client.open.follow(client.askLive('live-unread', { userId }, set));
  });
  shared = { userId, store };
  return store;
}

const mapOf = <T>(incidents: readonly UnreadIncident[], value: (one: UnreadIncident) => T) =>
  new Map(incidents.map((one) => [one.id, value(one)]));

/** What is new for the signed-in user on incidents that concern them; works offline. */
export function useUnread(): Unread {
  const session = useSession();
  const store = storeOf(session.kind === 'signed-in' ? session.user.id : '');
  const { isLoaded, total, incidents, news } = useSyncExternalStore(store.subscribe, store.get);
  return useMemo(
    () => ({
      isLoaded,
      total,
      news,
      byIncident: mapOf(incidents, ({ count }) => count),
      newest: mapOf(incidents, ({ newestAt }) => newestAt),
    }),
    [isLoaded, total, incidents, news],
  );
}
