/**
 * A loopback proxy that adds a session to every request, so that an instrument which knows nothing of our
 * sign-in measures the app as a signed-in user sees it. It passes bodies through as streams.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { ADMIN } from '../e2e/support/holdfast-server.ts';

/** Signs in over HTTP as the first user and answers the session cookie. */
export async function sessionCookie(baseUrl: string): Promise<string> {
  const flowAnswer = await fetch(`${baseUrl}/api/.ory/self-service/login/browser`, {
    headers: { accept: 'application/json' },
  });
  const flow = (await flowAnswer.json()) as {
    id: string;
    ui: { nodes: { attributes: { name: string; value?: string } }[] };
  };
  const csrfToken = flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value;
  const cookies = flowAnswer.headers.getSetCookie().map((line) => line.split(';')[0]);
  const answer = await fetch(`${baseUrl}/api/.ory/self-service/login?flow=${flow.id}`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      cookie: cookies.join('; '),
      origin: baseUrl,
    },
    body: JSON.stringify({
      method: 'password',
      identifier: ADMIN.email,
      password: ADMIN.password,
      csrf_token: csrfToken,
    }),
  });
  if (!answer.ok) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`);
  const session = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((cookie) => cookie.startsWith('ory_kratos_session='));
  if (session === undefined) throw new Error('no session cookie');
  return session;
}

export interface SignedInProxy {
  url: string;
  /** When the answers to which paths began, ms since 1970, since it was asked last. */
  takeAnswers: () => { path: string; atMs: number }[];
  stop: () => Promise<void>;
}

/** Starts the proxy; answers its URL and the way to stop it. */
export async function startSignedInProxy(targetUrl: string, cookie: string): Promise<SignedInProxy> {
  const target = new URL(targetUrl);
  let answers: { path: string; atMs: number }[] = [];
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      cookie: [incoming.headers.cookie, cookie].filter(Boolean).join('; '),
    };
    if (headers.origin !== undefined) headers.origin = target.origin;
    headers.host = target.host;
    const onward = request(
      { host: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        answers.push({ path: incoming.url ?? '', atMs: Date.now() });
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.on('error', () => onward.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://localhost:${address.port}`,
    takeAnswers() {
      const taken = answers;
      answers = [];
      return taken;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
