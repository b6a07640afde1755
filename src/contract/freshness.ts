/**
 * How fresh what is on the screen is, told from silence alone (design §4 law 11): a sign of life is due every
 * `expectMs`; two missed make it ageing, three stale. It knows no clock and no network.
 */
import type { Freshness } from './worker.ts';

/** A sign that is on its way isn't missing yet. */
const SLACK_MS = 1500;
const AGEING_AFTER = 2;
const STALE_AFTER = 3;

/** `asOfMs` is the last moment at which everything was known to be complete; null before the first. */
export function freshnessOf(facts: { asOfMs: number | null; nowMs: number; expectMs: number }): Freshness {
  const { asOfMs, nowMs, expectMs } = facts;
  if (asOfMs === null) return 'stale';
  const silenceMs = nowMs - asOfMs - SLACK_MS;
  if (silenceMs >= STALE_AFTER * expectMs) return 'stale';
  return silenceMs >= AGEING_AFTER * expectMs ? 'ageing' : 'fresh';
}
