/**
 * Tri-state label filters of the health page. In the URL they are JSON `{"canary:{key}:{value}": 1 | -1}`
 * (contract §19.2); 1 includes, -1 excludes, absent is neutral (spec 1 §5).
 */
export type TriState = 1 | -1;
export type LabelFilter = Readonly<Record<string, TriState>>;

const PREFIX = 'canary:';

/** `canary:{key}:{value}`, the entry's name in the URL. Keys may hold a slash or a dot, values may hold colons. */
export function labelEntry(key: string, value: string): string {
  return `${PREFIX}${key}:${value}`;
}

/** The key and value of an entry, or null when it isn't one. The key ends at the first colon. */
export function parseLabelEntry(entry: string): { key: string; value: string } | null {
  if (!entry.startsWith(PREFIX)) return null;
  const rest = entry.slice(PREFIX.length);
  const colon = rest.indexOf(':');
  if (colon <= 0) return null;
  return { key: rest.slice(0, colon), value: rest.slice(colon + 1) };
}

/** Included values of one key are alternatives; different keys must all hold; an excluded value never matches. */
export type LabelMatcher = (labels: Readonly<Record<string, string>>) => boolean;

/** Compiles a filter once for use over many rows. */
export function compileLabelFilter(filter: LabelFilter): LabelMatcher {
  const include = new Map<string, Set<string>>();
  const exclude = new Map<string, Set<string>>();
  for (const [entry, sign] of Object.entries(filter)) {
    const parsed = parseLabelEntry(entry);
    if (parsed === null) continue;
    const side = sign === 1 ? include : exclude;
    const values = side.get(parsed.key) ?? new Set<string>();
    values.add(parsed.value);
    side.set(parsed.key, values);
  }
  return (labels) => {
    for (const [key, values] of exclude) {
      const value = labels[key];
      if (value !== undefined && values.has(value)) return false;
    }
    for (const [key, values] of include) {
      const value = labels[key];
      if (value === undefined || !values.has(value)) return false;
    }
    return true;
  };
}

/** The filter after a press on one state of one entry; pressing the active state resets it to neutral. */
export function toggleLabel(filter: LabelFilter, entry: string, sign: TriState): LabelFilter {
  const { [entry]: current, ...rest } = filter;
  return current === sign ? rest : { ...rest, [entry]: sign };
}
