/** What a JSON text says; null for no text and for one that is no JSON. Where somebody has to know why, `JSON.parse` says it. */
export function jsonOrNull(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
