/** A registry's own interface (the OCI distribution API), and how it is signed in to: by its challenge. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { EgressResponse, EgressTls } from '../../../platform/egress/egress-http.ts';
import { authorization, callHttp, callJson } from '../../kind/http-call.ts';
import type { Probe } from '../../kind/probe.ts';
import { agreeOnTls } from '../../kind/service-place.ts';
import type { SignIn } from '../../kind/service-place.ts';
import type { ImageName } from './image-name.ts';

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const IS_LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/;
const NO_SIGN_IN: SignIn = { username: '', password: '', bearer: '' };

const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** Where the registry says tokens are, by its challenge `Bearer realm="…",service="…",scope="…"`. */
async function tokenFor(
  given: Probe,
  { challenge, registry, tls }: { challenge: string; registry: string; tls: EgressTls },
  signIn: SignIn,
): Promise<SignIn> {
  const words = new Map(
    [...challenge.matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const realm = words.get('realm') ?? '';
  if (!URL.canParse(realm)) throw new AppError('network', 'the registry does not say where to sign in');
  const url = new URL(realm);
  // The registry's choice, not that of whoever named the registry.
  const isOwn = url.host === registry;
  const at: Probe = { ...given, trust: isOwn ? given.trust : 'user' };
  for (const name of ['service', 'scope']) url.searchParams.set(name, words.get(name) ?? '');
  const { token, access_token: access } = tokenSchema.parse(
    await callJson(at, { url, headers: authorization(signIn), ...(isOwn ? { tls } : {}) }),
  );
  return { ...NO_SIGN_IN, bearer: token ?? access ?? '' };
}

type RegistryPlace = Pick<ImageName, 'registry' | 'repository'> & {
  tls?: EgressTls;
  wantsTls?: boolean | undefined;
};

interface Registry {
  /** The manifest of a tag or digest; throws for any other answer. */
  get: (reference: string) => Promise<EgressResponse>;
}

/** Signs in once, where that is asked for. A registry on this machine is called without TLS, unless that is wanted. */
export function openRegistry(at: Probe, image: RegistryPlace, signIn: SignIn): Registry {
  const { registry, tls = {}, wantsTls } = image;
  const isSecure = wantsTls === true || !IS_LOCAL.test(registry);
  agreeOnTls(wantsTls, isSecure);
  const scheme = isSecure ? 'https' : 'http';
  let known: SignIn | null = null;
  const ask = (reference: string) =>
    callHttp(at, {
      tls,
      url: new URL(`${scheme}://${registry}/v2/${image.repository}/manifests/${reference}`),
      headers: { accept: MANIFESTS, ...authorization(known ?? NO_SIGN_IN) },
    });
  return {
    async get(reference) {
      let answer = await ask(reference);
      const challenge = answer.headers['www-authenticate'] ?? '';
      if (answer.statusCode === 401 && known === null) {
        known = /^bearer/i.test(challenge)
          ? await tokenFor(at, { challenge, registry, tls }, signIn)
          : signIn;
        answer = await ask(reference);
      }
      if (answer.statusCode !== 200)
        throw new AppError('network', `${image.repository}:${reference}: status ${answer.statusCode}`);
      return answer;
    },
  };
}
