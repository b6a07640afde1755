/**
 * The canaries that couldn't be loaded, as far as this page was told. The next start begins with them: the worker looks
 * for them after the first screen, and the line that tells of them would push down what is being read by then.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { FailedCanary } from '../../contract/worker.ts';
import type { StoredTexts } from './platform.ts';
import { createStoredValue, type StoredValue } from './stored-value.ts';

export interface FailedCanaries {
  total: number;
  canaries: readonly FailedCanary[];
}

/** As many as are listed at once. */
const MOST_STORED = 50;

function isFailed(value: unknown): value is FailedCanaries {
  if (!isRecord(value) || typeof value.total !== 'number' || !Array.isArray(value.canaries)) return false;
  return value.canaries.every(
    (one) => isRecord(one) && typeof (one.id && one.name && one.error) === 'string',
  );
}

/** Begins with what was stored. */
export function createStoredFailedCanaries(platform: StoredTexts): StoredValue<FailedCanaries> {
  return createStoredValue(platform, {
    key: 'holdfast.failed-canaries',
    isValue: isFailed,
    stored: ({ total, canaries }) => ({ total, canaries: canaries.slice(0, MOST_STORED) }),
  });
}
