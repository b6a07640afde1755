/** For tests only: an HTTP client with a cookie jar and the headers that a browser adds. */

interface FlowAnswer {
  id: string;
  ui: { nodes: { attributes: { name: string; value?: unknown } }[] };
}

export interface TestBrowser {
  cookies: Map<string, string>;
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Asks for a sign-in form; answers its id and CSRF token. */
  form(): Promise<{ id: string; csrfToken: string }>;
  /** The whole sign-in; answers the last response. */
  signIn(email: string, password: string): Promise<Response>;
}

interface SendOptions {
  body?: string;
  headers?: Record<string, string>;
}

function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    const isGone = attributes.some((attribute) =>
      /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(attribute),
    );
    if (isGone) jar.delete(name);
    else jar.set(name, value);
  }
}

/** The hidden field of a form. */
export function csrfTokenIn(flow: FlowAnswer): string {
  const field = flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token');
  return typeof field?.attributes.value === 'string' ? field.attributes.value : '';
}

export function openTestBrowser(url: string): TestBrowser {
  const cookies = new Map<string, string>();
  const origin = new URL(url).origin;

  async function send(method: string, path: string, options: SendOptions = {}): Promise<Response> {
    const own: Record<string, string> = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    if (method !== 'GET' && method !== 'HEAD') own['origin'] = origin;
    if (cookies.size > 0) own['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (options.body !== undefined) own['content-type'] = 'application/json';
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...own, ...options.headers },
      redirect: 'manual',
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    keepCookies(cookies, response);
    return response;
  }

  const get: TestBrowser['get'] = (path, headers = {}) => send('GET', path, { headers });
  const post: TestBrowser['post'] = (path, body, headers = {}) =>
    send('POST', path, body === undefined ? { headers } : { body: JSON.stringify(body), headers });

  async function form() {
    const response = await get('/api/.ory/self-service/login/browser?refresh=true');
    const flow = (await response.json()) as FlowAnswer;
    return { id: flow.id, csrfToken: csrfTokenIn(flow) };
  }

  return {
    cookies,
    send,
    get,
    post,
    form,
    async signIn(email, password) {
      const { id, csrfToken } = await form();
      return post(`/api/.ory/self-service/login?flow=${id}`, {
        method: 'password',
        identifier: email,
        password,
        csrf_token: csrfToken,
      });
    },
  };
}
