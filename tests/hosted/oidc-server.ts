/** For tests: a real OpenID Connect provider on loopback, and a browser that signs in at it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OidcServer {
  issuer: string;
  /** What the provider says of people, by login. */
  people: Map<string, Record<string, unknown>>;
  close(): Promise<void>;
}

export const CLIENT = { id: 'holdfast', secret: 'a client secret for tests' };

/** Starts a provider that knows one client; its sign-in form believes any password. */
export async function startOidcServer(redirectUri: string, afterSignOut?: string): Promise<OidcServer> {
  const people: OidcServer['people'] = new Map();
  let answer: ReturnType<Provider['callback']> | null = null;
  const server: Server = createServer((request, response) => void answer?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: afterSignOut === undefined ? [] : [afterSignOut],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'organizations'], email: ['email'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
    cookies: { keys: ['a key for tests'] },
  });
  answer = provider.callback();
  return {
    issuer,
    people,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Goes through the provider's own pages as `login`, from the address we were sent to back to ours. */
export async function passProvider(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const send = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    return response;
  };
  const { origin } = new URL(start);
  let url = start;
  for (let step = 0; step < 12; step += 1) {
    const page = await send(url);
    const location = page.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (!url.startsWith(origin)) return url;
      continue;
    }
    const text = await page.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? 'none';
    const form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
    const sent = await send(url, form);
    url = new URL(sent.headers.get('location') ?? '', url).href;
    if (!url.startsWith(origin)) return url;
  }
  throw new Error(`the provider never sent us back, last at ${url}`);
}
