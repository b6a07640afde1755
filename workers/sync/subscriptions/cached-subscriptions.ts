/** A user's open subscriptions to cached answers: which of them are asked for again when something changed. */
import type { Dependency } from '../../../src/contract/queries/query-definition.ts';
import type { Answer } from '../../../src/contract/queries/queries.ts';
import type { Cached } from '../../../src/contract/worker.ts';
import type { Stop } from '../api.ts';
import {
  subscribeCached,
  type CachedSource,
  type CachedSubscription,
  type SubscriptionPlatform,
} from './cached-subscription.ts';

export interface CachedSubscriptionsParts {
  platform: SubscriptionPlatform;
  /** Follows a check's runs while somebody looks at it; returns how to stop. */
  watchCheck: (checkId: string) => () => void;
}

/** One for a signed-in user. */
export class CachedSubscriptions {
  private readonly parts: CachedSubscriptionsParts;
  private readonly open = new Map<CachedSubscription, readonly Dependency[]>();

  constructor(parts: CachedSubscriptionsParts) {
    this.parts = parts;
  }

  subscribe(
    { source, dependsOn }: { source: CachedSource<unknown>; dependsOn: readonly Dependency[] },
    listener: (answer: Answer<Cached<unknown>>) => void,
  ): Stop {
    const watched = dependsOn.flatMap((one) => (typeof one === 'object' ? [one.checkId] : []));
    const unwatch = watched.map((checkId) => this.parts.watchCheck(checkId));
    const subscription = subscribeCached(this.parts.platform, source, listener);
    this.open.set(subscription, dependsOn);
    return () => {
      subscription.stop();
      this.open.delete(subscription);
      for (const stop of unwatch) stop();
    };
  }

  /** Rows of that collection changed, or an administrator did something ('actions'). */
  invalidate(changed: string): void {
    this.renewWhere((dependsOn) => dependsOn.some((one) => one === changed));
  }

  /** New runs of these checks came in; without any there was an outage, and anything may have changed. */
  invalidateChecks(checkIds: readonly string[]): void {
    const changed = new Set(checkIds);
    this.renewWhere(
      (dependsOn) =>
        changed.size === 0 || dependsOn.some((one) => typeof one === 'object' && changed.has(one.checkId)),
    );
  }

  stopAll(): void {
    for (const subscription of this.open.keys()) subscription.stop();
  }

  private renewWhere(isOld: (dependsOn: readonly Dependency[]) => boolean): void {
    for (const [subscription, dependsOn] of this.open) if (isOld(dependsOn)) subscription.renew();
  }
}
