/** What the profile asks the server about reaching people (src/contract/http/reach.ts). */
import {
  reachCallSchema,
  reachSchema,
  type Reach,
  type ReachCall,
} from '../../../src/contract/http/reach.ts';
import type { HttpClient } from '../network/http-client.ts';

const PATH = '/api/notifications/reach';
/** A test waits for the device to answer. */
const TEST_TIMEOUT_MS = 20_000;

/** Does what is asked; answers how things are then. */
export async function callReach(http: HttpClient, asked: ReachCall): Promise<Reach> {
  const call = reachCallSchema.parse(asked);
  if (call.do === 'save') await http.send({ path: `${PATH}/settings`, method: 'POST', body: call.settings });
  if (call.do === 'test') {
    const path = `${PATH}/devices/${encodeURIComponent(call.deviceId)}/test`;
    await http.send({ path, method: 'POST', body: {}, timeoutMs: TEST_TIMEOUT_MS });
  }
  return reachSchema.parse(await http.json({ path: PATH }));
}
