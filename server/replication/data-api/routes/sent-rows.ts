import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';

/** The rows that the body of a write carries; none where it isn't JSON, which the data API refuses and says where. */
export function rowsOf(body: string | undefined): object[] {
  return [jsonOrNull(body)].flat().filter((row) => typeof row === 'object' && row !== null);
}
