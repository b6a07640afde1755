/** The credentials of Google Cloud that a specification names, as a header; never the machine's own. */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { namedConnection, serviceAddress } from '../services/json-call.ts';
import { googleToken } from './google-token.ts';

interface GoogleSpec {
  connection?: string | undefined;
  credentials?: unknown;
  endpoint?: string | undefined;
}

/** A signed in place: `usual` is where the service is unless the specification or its connection says otherwise. */
export async function openGoogle(
  spec: GoogleSpec,
  { usual, scope }: { usual: string; scope: string },
  context: ScrapeContext,
): Promise<{ url: URL; headers: Record<string, string> }> {
  const connection = await namedConnection(spec.connection, context);
  const own = spec.credentials === undefined ? '' : await context.secret(spec.credentials);
  const key = own || (connection?.certificate ?? '') || (connection?.password ?? '');
  if (key === '') throw new AppError('invalid', 'credentials: is missing, and so is a connection');
  const url = serviceAddress(
    { endpoint: spec.endpoint, usual, connection: own === '' ? connection : null },
    context,
  );
  const token = await googleToken(key, scope, context);
  return { url, headers: { authorization: `Bearer ${token}` } };
}
