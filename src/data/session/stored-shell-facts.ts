/**
 * What this page knows of the deployment: feature flags and its kind. A start without a network knows the flags of the
 * last visit.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { ShellFacts } from '../../contract/http/shell.ts';
import type { StoredTexts } from '../client/platform.ts';
import { createStoredValue, type StoredValue } from '../client/stored-value.ts';

/** Whether a record says it all. By hand: the schema's library would be a sixth of the app's first download. */
export function isShellFacts(value: unknown): value is ShellFacts {
  if (!isRecord(value) || typeof value.storeName !== 'string' || typeof value.isChecksOnly !== 'boolean')
    return false;
  const { properties } = value;
  return (
    Array.isArray(properties) &&
    properties.every((one) => isRecord(one) && typeof one.name === 'string' && typeof one.value === 'string')
  );
}

/** Begins with what was kept. */
export function createStoredShellFacts(platform: StoredTexts): StoredValue<ShellFacts> {
  return createStoredValue(platform, { key: 'holdfast.shell', isValue: isShellFacts });
}
