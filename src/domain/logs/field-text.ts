/** A field of a log's line as text: JSON for what is none. A line that somebody nested thousands of levels deep is a line, too. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    if (error instanceof RangeError) return '(nested too deep to be shown)';
    throw error;
  }
}
