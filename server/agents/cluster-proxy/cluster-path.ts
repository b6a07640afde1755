/**
 * Which cluster a call is for: `/clusters/NAME/…` names that of a connection, `/agents/NAME/…` that of an agent, so that
 * neither takes the other's name; a path of the cluster's own API without that is for the only one there is (schema §3.4).
 */
import { AppError } from '../../../src/contract/errors.ts';

export const PROXY_PATH = '/api/kubeproxy';
const PLACES = { connection: 'clusters', agent: 'agents' } as const;
const NAMED = /^\/(clusters|agents)\/([^/?]+)(\/[^?]*)?(?:\?.*)?$/;

/** Through what a cluster is reached, and the name of that. */
export interface NamedCluster {
  kind: keyof typeof PLACES;
  name: string;
}

export interface ClusterPath {
  /** Null where the address names none. */
  cluster: NamedCluster | null;
  /** Below the cluster's server, with the query, as it was sent. */
  path: string;
  /** What stands before it in this server's address. */
  mount: string;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new AppError('invalid', 'The path is not well formed', { cause: error });
  }
}

/** Once more, as something in between might; a percent sign in a name is one. */
const decodedAgain = (text: string): string =>
  text.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\');

const isDotted = (path: string): boolean => path.split(/[/\\]/).some((part) => part === '..' || part === '.');

/** Throws `invalid` for a path that could lead above the cluster's own address. */
export function refuseDotted(path: string): void {
  const once = decoded(path);
  if (isDotted(once) || isDotted(decodedAgain(once)))
    throw new AppError('invalid', 'The path may not have . or .. in it');
}

/** Throws `invalid` for a path that could lead above the cluster's own address. */
export function clusterPath(url: string): ClusterPath {
  const rest = url.slice(PROXY_PATH.length);
  const search = rest.includes('?') ? rest.slice(rest.indexOf('?')) : '';
  const [, place, name, below = '/'] = NAMED.exec(rest) ?? [];
  const path = name === undefined ? rest.slice(0, rest.length - search.length) || '/' : below;
  refuseDotted(path);
  const kind = place === PLACES.agent ? 'agent' : 'connection';
  return {
    cluster: name === undefined ? null : { kind, name: decoded(name) },
    path: `${path}${search}`,
    mount: name === undefined ? PROXY_PATH : `${PROXY_PATH}/${PLACES[kind]}/${name}`,
  };
}

/** The address of a cluster in this server. */
export function clusterAddress({ kind, name }: NamedCluster): string {
  return `${PROXY_PATH}/${PLACES[kind]}/${encodeURIComponent(name)}`;
}
