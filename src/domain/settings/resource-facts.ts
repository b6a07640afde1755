/** What the lists of resources say of one, wherever its kind keeps it. */

/** How often a scraper runs whose spec names no schedule. */
export const DEFAULT_SCRAPE_SCHEDULE = '@every 1h';

interface ResourceRow {
  name?: string | null | undefined;
  namespace?: string | null | undefined;
  schedule?: string | null | undefined;
  spec?: unknown;
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** A scraper's schedule is part of its spec. */
export function scheduleOf({ schedule, spec }: ResourceRow): string | null {
  const written = typeof spec === 'object' && spec !== null && 'schedule' in spec ? spec.schedule : null;
  return textOrNull(schedule) ?? textOrNull(written);
}

/** A resource that came from a document may be named `namespace/name`. */
export function namespaceOf({ namespace, name }: ResourceRow): string | null {
  const [before, after] = (name ?? '').split('/');
  return textOrNull(namespace) ?? (after === undefined ? null : textOrNull(before));
}
