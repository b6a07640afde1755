/** What may be typed in a list of numbers: it as it stands, with each of those that are offered and not yet in it. */
export function listSuggestions(
  offered: readonly string[] | undefined,
  value: unknown,
): readonly string[] | undefined {
  if (offered === undefined) return undefined;
  const items = Array.isArray(value) ? value.map(String) : [];
  // The last one may still be on its way: `20` to `200`.
  const last = items.at(-1);
  const kept = last === undefined || offered.includes(last) ? items : items.slice(0, -1);
  return offered.filter((one) => !kept.includes(one)).map((one) => [...kept, one].join(', '));
}
