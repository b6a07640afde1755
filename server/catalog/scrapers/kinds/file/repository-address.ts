/** Addresses of repositories as scrapers write them: `github.com/owner/name//folder?ref=main`, `git::https://…`, `https://….git`. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { trimEnd } from '../../../../../src/lib/trim-end.ts';

export interface RepositoryAddress {
  /** http or https, without credentials, folder and query. */
  url: string;
  /** As items name it: the address as it was written, without prefix, folder and query. */
  name: string;
  /** Below the repository's own; empty for that. */
  folder: string;
  /** A branch, a tag or the id of a commit; null for the branch that the repository calls its default. */
  ref: string | null;
}

const FORCED = /^git::/i;
const OTHER_WAY = /^(?:[a-z0-9]+::|git@|ssh:|git:)/i;
const SCHEME = /^https?:\/\//i;
const PUBLIC_HOST = /^(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)$/i;
const PUBLIC_NAME = /^(?:github|gitlab|bitbucket)\.(?:com|org)\//i;
/** The repository, and the folder below it. */
const OWNER_AND_NAME = /^(\/[^/]+\/[^/]+?)\/*$/;
const OWNER_NAME_FOLDER = /^(\/[^/]+\/[^/]+)(?:\/+(?!\/)(.*))?$/s;
const DOT_GIT = /^(.*?\.git)(?:\/+(?!\/)(.*))?$/is;
const TWO_SLASHES = /^((?:[^/]|\/(?!\/))*)(?:\/\/(.*))?$/s;

function urlOf(text: string, written: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !SCHEME.test(url.href))
    throw new AppError('invalid', `url: "${written}" is not a repository at an http:// or https:// address`);
  if (url.username !== '' || url.password !== '')
    throw new AppError('invalid', 'url: has credentials in it; name a connection to sign in with instead');
  return url;
}

/** How the path divides; null where it is that of a single file. */
function shapeOf({ hostname, pathname }: URL, isCertain: boolean): RegExp | null {
  if (DOT_GIT.test(pathname)) return DOT_GIT;
  if (!PUBLIC_HOST.test(hostname)) return isCertain ? TWO_SLASHES : null;
  const isWhole = OWNER_AND_NAME.test(pathname) || pathname.includes('//');
  return isCertain || isWhole ? OWNER_NAME_FOLDER : null;
}

/** Null for what is a single file, or no address. Throws `invalid` for a repository that can't be read here. */
export function repositoryAddress(text: string): RepositoryAddress | null {
  const bare = text.replace(FORCED, '');
  if (OTHER_WAY.test(bare))
    throw new AppError(
      'invalid',
      `url: "${text}" is not read here; repositories are, over http(s): https://host/owner/name.git`,
    );
  const isPublicName = PUBLIC_NAME.test(bare);
  const isCertain = isPublicName || bare !== text;
  if (!isCertain && !SCHEME.test(bare)) return null;
  if (!isCertain && !URL.canParse(bare)) return null;
  const url = urlOf(isPublicName ? `https://${bare}` : bare, text);
  const shape = shapeOf(url, isCertain);
  if (shape === null) return null;
  const [, path = '', folder = ''] = shape.exec(url.pathname) ?? [];
  const place = `${url.host}${path}`;
  return {
    url: `${url.protocol}//${place}${shape === OWNER_NAME_FOLDER ? '.git' : ''}`,
    name: isPublicName ? place : `${url.protocol}//${place}`,
    folder: trimEnd(decodeURIComponent(folder), '/'),
    ref: url.searchParams.get('ref') || null,
  };
}
