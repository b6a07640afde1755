/**
 * What this server can't run, and why: kinds without a runner, parts of a specification that it has no means for, and
 * what its settings switch off. A check with a reason is unknown, never healthy and never unhealthy. Knows neither
 * database nor network; what only a run can find out is told by the run (`KindResult.notRun`).
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import type { CheckEntry } from './canary-document.ts';
import type { RunEnvironment } from '../kind/registered-kind.ts';
import { STORED_KINDS } from '../kinds/stored-kinds.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const VALUE_SOURCES = lookupTable<string>({
  helmRef: 'values of helm releases',
  serviceAccount: 'tokens of service accounts',
});

/** A value anywhere in the specification that comes from where this server can't read. */
function unreadableValue(value: unknown): string | null {
  if (Array.isArray(value)) return firstOf(value.map(unreadableValue));
  if (!isRecord(value)) return null;
  const from = value['valueFrom'];
  const source = isRecord(from)
    ? Object.keys(VALUE_SOURCES).find((key) => (from[key] ?? null) !== null)
    : undefined;
  if (source !== undefined)
    return `valueFrom.${source}: ${VALUE_SOURCES[source]} are not read by this server`;
  return firstOf(Object.values(value).map(unreadableValue));
}

function firstOf(reasons: readonly (string | null)[]): string | null {
  return reasons.find((reason) => reason !== null) ?? null;
}

/** Why this server can't run an entry by itself, or null. */
export function reasonNotRun(entry: CheckEntry, place: RunEnvironment): string | null {
  if (entry.runnable === null)
    return STORED_KINDS[entry.key]?.reason ?? `checks of kind ${entry.key} are not run by this server`;
  return entry.runnable.notRun(place) ?? unreadableValue([entry.raw, entry.shared]);
}

/** The reasons of a canary's entries; one that depends on a check that isn't run can't run either. */
export function reasonsNotRun(
  entries: readonly CheckEntry[],
  place: RunEnvironment,
): Map<CheckEntry, string> {
  const reasons = new Map<CheckEntry, string>();
  for (const entry of entries) {
    const reason = reasonNotRun(entry, place);
    if (reason !== null) reasons.set(entry, reason);
  }
  let isDone = false;
  while (!isDone) {
    const names = new Set([...reasons.keys()].map(({ name }) => name));
    const found = entries.filter((entry) => !reasons.has(entry)).flatMap((entry) => waitsFor(entry, names));
    for (const [entry, reason] of found) reasons.set(entry, reason);
    isDone = found.length === 0;
  }
  return reasons;
}

function waitsFor(entry: CheckEntry, notRun: ReadonlySet<string>): [CheckEntry, string][] {
  const needed = (entry.runnable?.spec.dependsOn ?? []).find((name) => notRun.has(name));
  return needed === undefined ? [] : [[entry, `depends on "${needed}", which is not run by this server`]];
}
