/** The rows that the body of a write carries; none where it isn't JSON, which the data API refuses and says where. */
export function rowsOf(body: string | undefined): object[] {
  try {
    const parsed: unknown = JSON.parse(body ?? '');
    return [parsed].flat().filter((row) => typeof row === 'object' && row !== null);
  } catch {
    return [];
  }
}
