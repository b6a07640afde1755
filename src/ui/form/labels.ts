/** Labels as a form edits them: one pair a line, so that a name can be typed before it is another's. */
export interface LabelPair {
  key: string;
  value: string;
}

/** Values that are no text stand as JSON. */
export function labelPairs(labels: Readonly<Record<string, unknown>> | null | undefined): LabelPair[] {
  return Object.entries(labels ?? {}).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/** The labels; lines without a name are none. */
export function labelsOf(pairs: readonly LabelPair[]): Record<string, string> {
  const named = pairs.filter(({ key }) => key.trim() !== '');
  return Object.fromEntries(named.map(({ key, value }) => [key.trim(), value.trim()]));
}

/** The first name that is there twice; null when none is. */
export function repeatedLabel(pairs: readonly LabelPair[]): string | null {
  const names = pairs.map(({ key }) => key.trim()).filter(Boolean);
  return names.find((name, at) => names.indexOf(name) !== at) ?? null;
}
