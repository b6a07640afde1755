/** How the catalog writes its numbers (spec 2 §9, contract §19.10). */

const THOUSAND = 1000;
const DAYS = 30;
/** A day that differs from the month's average by more than this is worth a badge. */
const TREND_PERCENT = 10;
/** From here on an item changes so often that it is marked. */
const MANY_CHANGES = 500;

/** `999`, `1k+`, `12k+`. */
export function shortCount(count: number): string {
  return count < THOUSAND ? String(count) : `${Math.floor(count / THOUSAND)}k+`;
}

/** So many that the number is marked (contract §19.10). */
export function isManyChanges(count: number): boolean {
  return count >= MANY_CHANGES;
}

/** An amount of money with as many decimals as tell something. */
export function costText(amount: number): string {
  if (amount > THOUSAND) return `$${(amount / THOUSAND).toFixed(1)}k`;
  if (amount > 100) return `$${amount.toFixed(0)}`;
  if (amount > 10) return `$${amount.toFixed(1)}`;
  if (amount > 0.01 || amount === 0) return `$${amount.toFixed(2)}`;
  return `$${amount > 0.001 ? amount.toFixed(3) : amount}`;
}

/** By how many percent the last day differs from the month's daily average; null when that is no news. */
export function costTrend({ cost1d, cost30d }: { cost1d: number; cost30d: number }): number | null {
  const average = cost30d / DAYS;
  if (average <= 0) return null;
  const percent = Math.round((cost1d / average - 1) * 100);
  return Math.abs(percent) > TREND_PERCENT ? percent : null;
}
