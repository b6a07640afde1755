/** Digest sign-in of HTTP (RFC 7616): the header that answers a server's challenge. */
import { createHash } from 'node:crypto';
import { AppError } from '../../../../src/contract/errors.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

interface DigestRequest {
  username: string;
  password: string;
  method: string;
  /** Path with its query. */
  path: string;
  /** Chosen anew for each answer. */
  clientNonce: string;
}

const HASHES = lookupTable<string>({
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
});

/** The words of the challenge that is answered: the first with a hash that is known. */
function challengeOf(header: string): ReadonlyMap<string, string> | null {
  const challenges = header.split(/(?=\bDigest\s)/i).filter((one) => /^Digest\s/i.test(one));
  const read = challenges.map(
    (one) =>
      new Map(
        [...one.matchAll(/\b(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(
          ([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain],
        ),
      ),
  );
  return read.find((words) => hashOf(words) !== undefined) ?? null;
}

const hashOf = (words: ReadonlyMap<string, string>): string | undefined =>
  HASHES[(words.get('algorithm') ?? 'MD5').replace(/-sess$/i, '').toUpperCase()];

/** `authorization` for the challenge in `www-authenticate`; throws where there is none that can be answered. */
export function digestAuthorization(header: string, request: DigestRequest): string {
  const words = challengeOf(header);
  if (words === null)
    throw new AppError('network', 'the service asks for no digest sign-in that is known here');
  const hash = (...parts: string[]) =>
    createHash(hashOf(words) ?? 'md5')
      .update(parts.join(':'))
      .digest('hex');
  const { username, password, method, path, clientNonce } = request;
  const [realm = '', nonce = '', algorithm = 'MD5'] = ['realm', 'nonce', 'algorithm'].map((name) =>
    words.get(name),
  );
  const count = '00000001';
  const plain = hash(username, realm, password);
  const key = /-sess$/i.test(algorithm) ? hash(plain, nonce, clientNonce) : plain;
  const hasQop = (words.get('qop') ?? '').split(',').some((one) => one.trim() === 'auth');
  const what = hash(method, path);
  const response = hasQop ? hash(key, nonce, count, clientNonce, 'auth', what) : hash(key, nonce, what);
  const opaque = words.get('opaque');
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return [
    `Digest username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(hasQop ? ['qop=auth', `nc=${count}`, `cnonce=${quoted(clientNonce)}`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(', ');
}
