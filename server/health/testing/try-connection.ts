/** For tests only: the test of a connection by a check's client, with the rules that the route has; what it says. */
import type { ConnectionRow } from '../../connections/connection-query.ts';
import { failureSentence } from '../../connections/failure-sentence.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import { createEgressGuard } from '../../platform/egress/egress-guard.ts';
import { resolveBySystem } from '../../platform/egress/platform-network.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { testByCheck } from '../connection-tests.ts';

const EMPTY = {
  url: '',
  username: '',
  password: '',
  certificate: '',
  properties: {},
  insecure_tls: false,
};

/** Null where the service let us in. This machine is open to users' calls unless `allow` says otherwise. */
export async function triedConnection(
  type: string,
  row: Partial<ConnectionRow>,
  allow: readonly string[] = ['loopback'],
): Promise<string | null> {
  const test = testByCheck(type);
  if (test === null) throw new Error(`${type} is not tried by a check`);
  const rules = { deny: [], ownNetworks: () => [], ownDatabase: null };
  const scope = createSecretScope({
    author: 'granter',
    findConnection: () => Promise.resolve({ ...EMPTY, type, ...row }),
    mounted: () => Promise.reject(new Error('nothing is mounted')),
    guard: createEgressGuard({ allow, resolve: resolveBySystem, ...rules }),
    redactor: createRedactor(),
  });
  try {
    const connection = await scope.connection('tried');
    if (connection === null) return 'no connection';
    const signal = AbortSignal.timeout(30_000);
    await test(connection, { guard: scope.guard, signal, platform: nodePlatform });
    return null;
  } catch (error) {
    return failureSentence(error);
  }
}

/** What each cause says, whatever the service. */
export const SAYS = {
  signIn: /^The service does not accept this sign-in: /,
  absent: /^Nothing answers at this address: /,
  closed: /^Calls to 127\.0\.0\.1 are not allowed: .* this machine/,
};
