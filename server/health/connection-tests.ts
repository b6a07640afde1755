/**
 * Tests of connections by the clients of checks: what Test says of a connection is what a check with it would meet. A
 * test runs the kind once with nothing but the connection; it is handed to the route of connections by server/app.
 */
import { AppError } from '../../src/contract/errors.ts';
import { recordOf } from '../../src/lib/is-record.ts';
import type { OpenConnection } from '../connections/secret-scope.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import { EgressRefused } from '../platform/egress/egress-guard.ts';
import type { FailureKind } from '../platform/egress/failure-kind.ts';
import type { Platform } from '../platform/platform.ts';
import { kindOf } from './kinds/all-kinds.ts';
import { openGoogle } from './kinds/cloud/google-access.ts';
import type { KindContext, KindResult } from './kind/check-kind.ts';
import { probe } from './kind/probe.ts';
import type { Probe } from './kind/probe.ts';
import { lookupTable } from '../../src/lib/lookup-table.ts';

interface TestCall {
  guard: EgressGuard;
  signal: AbortSignal;
  platform: Platform;
}

/** Every kind finds the connection that is tried, whatever it is called. */
const IT = 'connection://tried';
const TIMEOUT = '12s';
const secret = (value = '') => ({ value });

type Entry = Record<string, unknown>;
/** Which kind reaches the service, and its entry. */
const BY_KIND = lookupTable<{ kind: string; entry: (of: OpenConnection) => Entry }>({
  postgres: { kind: 'postgres', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  mysql: { kind: 'mysql', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  sql_server: { kind: 'mssql', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  redis: { kind: 'redis', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  mongo: { kind: 'mongodb', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  ldap: { kind: 'ldap', entry: () => ({ connection: IT, timeout: TIMEOUT }) },
  // The folder that a user begins in is there for whoever is let in.
  sftp: { kind: 'folder', entry: () => ({ path: '.', sftpConnection: { connection: IT } }) },
  dynatrace: {
    kind: 'dynatrace',
    entry: ({ url, password, properties }) => ({
      host: url,
      scheme: properties['scheme'] || 'https',
      apiKey: secret(password),
      timeout: TIMEOUT,
    }),
  },
});

/** A project of the key that signs in; services answer to it without naming a thing of theirs. */
function projectOf({ certificate }: OpenConnection): string {
  try {
    const project = recordOf(JSON.parse(certificate))['project_id'];
    if (typeof project === 'string' && project !== '') return encodeURIComponent(project);
  } catch (error) {
    throw new AppError('invalid', 'certificate: must be the key of a service account (JSON)', {
      cause: error,
    });
  }
  throw new AppError('invalid', 'certificate: the key names no project (project_id)');
}

const NOT_FOUND = 404;
type GoogleTest = (connection: OpenConnection, at: Probe) => Promise<unknown>;
const GOOGLE = lookupTable<GoogleTest>({
  async gcs(connection, at) {
    const scope = 'https://www.googleapis.com/auth/devstorage.read_only';
    const place = { host: 'storage.googleapis.com', scope };
    const call = await openGoogle({ connection: IT }, place, at);
    return call(`/storage/v1/b?maxResults=1&project=${projectOf(connection)}`);
  },
  async google_cloud(connection, at) {
    const scope = 'https://www.googleapis.com/auth/cloud-platform.read-only';
    const place = { host: 'cloudresourcemanager.googleapis.com', scope };
    const call = await openGoogle({ connection: IT }, place, at);
    try {
      return await call(`/v1/projects/${projectOf(connection)}`);
    } catch (error) {
      // Another of Google's services has nothing there; it answered to whoever signed in.
      if (error instanceof AppError && error.status === NOT_FOUND) return null;
      throw error;
    }
  },
});

/** The parts of a run that a test has no use for refuse to be used. */
function contextOf(connection: OpenConnection, call: TestCall): KindContext {
  const none = (what: string) => () =>
    Promise.reject(new AppError('invalid', `${what} is not used by a test`));
  return {
    ...call,
    trust: 'user',
    author: 'granter',
    isExecAllowed: false,
    // References were followed before the connection came here.
    secret: none('a mounted value'),
    connection: () => Promise.resolve(connection),
    refuseScripts: () => undefined,
    template: (text) => Promise.resolve(text),
    matching: (_pattern, names) => Promise.resolve(new Set(names)),
    holds: none('an expression'),
    checks: none('a check'),
    catalog: none('the catalog'),
    variables: {},
  };
}

function refusalOf({ notRun, error, failure }: KindResult): AppError {
  if (notRun !== undefined) return new EgressRefused(notRun);
  const code: Readonly<Record<FailureKind, 'forbidden' | 'timeout' | 'unauthorized' | 'network'>> = {
    closed: 'forbidden',
    absent: 'timeout',
    'sign-in': 'unauthorized',
    other: 'network',
  };
  return new AppError(code[failure ?? 'other'], error ?? '');
}

/** Null for a type that no check reaches. The test throws with the reason where the service does not let us in. */
export function testByCheck(type: string): ((of: OpenConnection, call: TestCall) => Promise<void>) | null {
  const ask = GOOGLE[type];
  const known = BY_KIND[type];
  if (ask === undefined && known === undefined) return null;
  return async (connection, call) => {
    const context = contextOf(connection, call);
    const run = (): Promise<KindResult> => {
      if (ask !== undefined)
        return probe({ timeout: TIMEOUT }, context, async (at) => ({
          data: { results: await ask(connection, at) },
        }));
      const entry = { name: 'test', ...known?.entry(connection) };
      const read = kindOf(known?.kind ?? '')?.read(entry);
      if (read?.ok !== true) throw read?.error ?? new AppError('invalid', `${type} has no check`);
      return read.check.run(context);
    };
    const result = await run();
    if (!result.pass) throw refusalOf(result);
  };
}
