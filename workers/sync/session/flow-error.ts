import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { flowErrorSchema, type FlowError } from '../../../src/contract/http/shell.ts';
import type { HttpClient } from '../network/http-client.ts';

/** Why an identity flow failed (contract §2.2); 403, 404 and 410 say that it can't be told any more. */
export async function readFlowError(http: HttpClient, id: string): Promise<FlowError> {
  const path = `/api/.ory/self-service/errors?id=${encodeURIComponent(id)}`;
  const parsed = flowErrorSchema.safeParse(await http.json({ path }));
  if (parsed.success) return parsed.data;
  throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: parsed.error });
}
