/**
 * The paths by which callers reach the API (contract §1.2). Front proxies send it with `/api` or without, and with
 * doubled slashes; `/kratos` is what `.ory` is called behind one. Everything ends up as the one path that the
 * routes and the guards know. A page of the app that has the name of a family stays a page for browsers, which ask
 * for pages as HTML; the families without a page belong to the API whoever asks: links in mails, downloads and
 * redirects after forms are asked for as HTML, too.
 */
const FAMILIES = new Set([
  '.ory',
  'agent',
  'artifacts',
  'auth',
  'canary',
  'catalog',
  'config',
  'connection',
  'db',
  'kratos',
  'kubeconfig',
  'kubeproxy',
  'logs',
  'notification',
  'people',
  'playbook',
  'properties',
  'push',
  'rbac',
  'resources',
  'schemas',
  'snapshot',
  'upstream',
]);

/** Families that have pages of the app as well, or did (page-redirects.ts). */
const FAMILIES_WITH_PAGES = new Set(['catalog', 'config', 'logs']);

/** What the health service alone serves at its root. */
const HEALTH_PATHS = /^\/(?:api\/(?:summary|graph|details|topology)|about|run\/check\/[^/]+)$/;

function familyPath(path: string): string {
  const [, first = '', ...rest] = path.split('/');
  if (first === 'api' && rest[0] === 'kratos') return ['/api/.ory', ...rest.slice(1)].join('/');
  if (!FAMILIES.has(first)) return path;
  return ['/api', first === 'kratos' ? '.ory' : first, ...rest].join('/');
}

export interface PathRequest {
  url: string;
  accept: string;
  isChecksOnly: boolean;
}

/** The address as the routes know it; the query stays as it was sent. */
export function apiAddress({ url, accept, isChecksOnly }: PathRequest): string {
  const [path = '', ...query] = url.split('?');
  const search = query.length === 0 ? '' : `?${query.join('?')}`;
  const single = path.replaceAll(/\/{2,}/g, '/');
  const [, first = ''] = single.split('/');
  const isPageToo = !FAMILIES.has(first) || FAMILIES_WITH_PAGES.has(first);
  if (accept.includes('text/html') && first !== 'api' && isPageToo) return `${single}${search}`;
  if (isChecksOnly && HEALTH_PATHS.test(single)) return `/api/canary${single}${search}`;
  return `${familyPath(single)}${search}`;
}
