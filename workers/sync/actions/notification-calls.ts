/** What the forms of notifications ask of the server. Never queued: offline it is refused (law 9). */
import {
  previewedSchema,
  previewSchema,
  type Previewed,
  type PreviewRequest,
} from '../../../src/contract/http/notifications/rule-preview.ts';
import type { HttpClient } from '../network/http-client.ts';

const PATH = '/api/notifications/preview';

/** What a rule would say. Throws `network` while the server can't be reached. */
export async function previewRule(http: HttpClient, asked: PreviewRequest): Promise<Previewed> {
  const body = previewSchema.parse(asked);
  return previewedSchema.parse(await http.json({ path: PATH, method: 'POST', body }));
}
