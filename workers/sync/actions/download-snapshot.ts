import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { SnapshotRequest } from '../../../src/contract/http/snapshot.ts';
import type { HttpClient } from '../network/http-client.ts';

/** The server reads whole trees for it. */
const TIMEOUT_MS = 120_000;

/** `GET /snapshot/topology/{id}` (contract §5): a zip. */
export async function downloadSnapshot(http: HttpClient, request: SnapshotRequest): Promise<Uint8Array> {
  const { componentId, start, isRelatedToo } = request;
  const query = new URLSearchParams({ start, related: String(isRelatedToo) });
  const { bytes } = await http.send({
    path: `/api/snapshot/topology/${encodeURIComponent(componentId)}?${query.toString()}`,
    isBinary: true,
    timeoutMs: TIMEOUT_MS,
  });
  if (bytes === undefined) throw new AppError('server', ERROR_TEXTS.server);
  return bytes;
}
