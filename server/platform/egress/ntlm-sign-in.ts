/**
 * NTLM sign-in of HTTP, version 2: three requests on one connection. The password is never sent, nor the name of this
 * machine; version 1, whose answers give the password away, is not spoken whatever a service asks for.
 */
import ntlm from '@ewsjs/ntlm-client';
import { AppError } from '../../../src/contract/errors.ts';
import type { EgressRequest, EgressResponse } from './egress-http.ts';

interface SignIn {
  username: string;
  password: string;
}

const NOBODY = '';
// The package is CommonJS: Node finds none of its names by itself.
const { createType1Message, createType3Message, decodeType2Message } = ntlm;

/** The message packs everything into a kilobyte. */
const MOST = 200;

/** `DOMAIN\user`, `user@domain` as it is, or a plain name. */
function partsOf(username: string): { domain: string | null; user: string } {
  const [domain = '', user] = username.split('\\');
  return user === undefined ? { domain: null, user: username } : { domain, user };
}

function challengeIn({ headers }: EgressResponse): string | null {
  const offered = (headers['www-authenticate'] ?? '').split(',').map((one) => one.trim());
  return offered.find((one) => /^NTLM(\s|$)/i.test(one)) ?? null;
}

function answerTo(challenge: string, { username, password }: SignIn): string {
  let message: ReturnType<typeof decodeType2Message>;
  try {
    message = decodeType2Message(challenge.replace(/^ntlm/i, 'NTLM'));
  } catch (error) {
    throw new AppError('network', "the service's NTLM challenge can not be read", { cause: error });
  }
  if (message.version !== 2 || message.targetInfo === undefined)
    throw new AppError('network', 'the service offers NTLM version 1 only, which is not spoken here');
  const { domain, user } = partsOf(username);
  return createType3Message(message, user, password, NOBODY, domain ?? message.targetName);
}

/** For `answerChallenge` of a request. Throws `invalid` without user and password. */
export function ntlmSignIn(signIn: SignIn): NonNullable<EgressRequest['answerChallenge']> {
  const { username, password } = signIn;
  if (username === '' || password === '')
    throw new AppError('invalid', 'ntlm: username and password are needed, or a connection that has them');
  if (username.length > MOST) throw new AppError('invalid', `username: is longer than ${MOST} characters`);
  return (answer) => {
    if (answer.statusCode !== 401) return null;
    const challenge = challengeIn(answer);
    if (challenge === null) return null;
    const isFirst = !/^NTLM\s+\S/i.test(challenge);
    return { authorization: isFirst ? createType1Message(NOBODY, '') : answerTo(challenge, signIn) };
  };
}
