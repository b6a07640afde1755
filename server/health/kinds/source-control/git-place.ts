/** Where a repository of a check is and how to sign in there. */
import type { EgressTls } from '../../../platform/egress/egress-http.ts';
import type { KindContext } from '../../kind/check-kind.ts';
import { authorization } from '../../kind/http-call.ts';
import { placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import type { ConnectionSpec } from '../../kind/spec-fields.ts';

/** Services that take tokens ask for any name beside them. */
const TOKEN_USER = 'git';

type GitSpec = Pick<ConnectionSpec, 'connection' | 'username' | 'password'> & {
  repository?: string | undefined;
};

/** A repository over HTTP. */
export interface GitPlace {
  url: string;
  headers: Record<string, string>;
  tls: EgressTls;
}

/** Throws `invalid` for what is no address of a repository. */
export async function gitPlace(spec: GitSpec, context: KindContext): Promise<GitPlace> {
  const place = await servicePlace({ ...spec, url: spec.repository }, context);
  const url = placeUrl(place.address, ['https', 'http']);
  const { username, password } = signInAt(url, place);
  url.username = '';
  url.password = '';
  const name = username === '' && password !== '' ? TOKEN_USER : username;
  return { url: url.href, headers: authorization({ username: name, password, bearer: '' }), tls: place.tls };
}
