/** Signing in and out through the identity's browser flows (contract §2.2). Nothing of it is kept or queued. */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import { flowSchema, type Credentials, type Flow } from '../../src/contract/http/identity.ts';
import { HttpFailure, type HttpClient } from './http-client.ts';

const SELF_SERVICE = '/api/.ory/self-service';

function messageOf(flow: Flow): string | null {
  const texts = [...flow.ui.messages, ...flow.ui.nodes.flatMap((node) => node.messages)].map(
    (one) => one.text,
  );
  return texts.length === 0 ? null : texts.join(' ');
}

function csrfOf(flow: Flow): unknown {
  return flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value;
}

/** The id that the identity gives an error which is not a flow (contract §2.2 'Flow errors'). */
function errorIdOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'id' in error && typeof error.id === 'string'
    ? error.id
    : null;
}

/** A refused flow comes back as the flow itself with what is wrong. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof HttpFailure) || error.code !== 'invalid') return error;
  const flow = flowSchema.safeParse(error.body);
  const text = flow.success ? messageOf(flow.data) : null;
  return new AppError('invalid', text ?? error.message, { cause: error, status: error.status ?? 400 });
}

async function createFlow(http: HttpClient): Promise<Flow> {
  const parsed = flowSchema.safeParse(await http.json({ path: `${SELF_SERVICE}/login/browser` }));
  if (parsed.success) return parsed.data;
  throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: parsed.error });
}

/** Starts a session. Throws `invalid` with the identity's own words when the credentials are refused. */
export async function signInWithPassword(http: HttpClient, credentials: Credentials): Promise<void> {
  try {
    const flow = await createFlow(http);
    await http.json({
      path: `${SELF_SERVICE}/login?flow=${encodeURIComponent(flow.id)}`,
      method: 'POST',
      body: {
        csrf_token: csrfOf(flow),
        method: 'password',
        identifier: credentials.identifier,
        password: credentials.password,
      },
    });
  } catch (error) {
    if (error instanceof HttpFailure && errorIdOf(error.body) === 'session_already_available') return;
    throw refusalOf(error);
  }
}

/** Ends the session on the server; having none is as good. */
export async function endSession(http: HttpClient): Promise<void> {
  try {
    const answer = await http.json({ path: `${SELF_SERVICE}/logout/browser` });
    const token =
      typeof answer === 'object' && answer !== null && 'logout_token' in answer
        ? String(answer.logout_token)
        : '';
    await http.send({ path: `${SELF_SERVICE}/logout?token=${encodeURIComponent(token)}` });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return;
    throw error;
  }
}
