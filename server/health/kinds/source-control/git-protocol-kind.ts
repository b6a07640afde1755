/**
 * gitProtocol: whether a repository answers git over HTTP, and with `filename` whether a commit can be pushed to it: the
 * file is written with the time (schema §4.1). The same client and thread as gitops actions have.
 */
import type { HttpClient } from 'isomorphic-git';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { repositoryPath } from '../../../playbooks/actions/gitops/repository-text.ts';
import { updateInThread, withoutFieldNames } from '../../../playbooks/actions/gitops/repository-thread.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { callHttp } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, limits, namesPlace, text, valueSchema } from '../../kind/spec-fields.ts';
import { gitPlace } from './git-place.ts';
import type { GitPlace } from './git-place.ts';

const gitProtocolSchema = z
  .strictObject({
    ...common,
    ...limits,
    connection: z.string().optional(),
    repository: z.string().optional(),
    username: valueSchema.optional(),
    password: valueSchema.optional(),
    /** Written anew at each run, in a commit of its own. */
    filename: text.optional(),
    /** The repository's default, unless given. */
    branch: text.optional(),
  })
  .refine(namesPlace(['repository', 'connection']), { path: ['repository'], message: 'is required' });
type GitProtocolSpec = z.output<typeof gitProtocolSchema>;

const HEADS = 'refs/heads/';
const PUSH_TIMEOUT = '1m';
const MAX_REDIRECTS = 3;
const AUTHOR = { name: 'Holdfast', email: 'holdfast@localhost' };

async function* inOne(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

/** isomorphic-git's questions; it asks for the list of references without a body. */
const clientOf = (place: GitPlace, at: Probe): HttpClient => ({
  async request({ url, method = 'GET', headers = {} }) {
    const answer = await callHttp(at, {
      url: new URL(url),
      method,
      headers: { ...headers, ...place.headers },
      tls: place.tls,
      maxRedirects: MAX_REDIRECTS,
    });
    const { statusCode } = answer;
    if (statusCode > 299) throw new AppError('network', `status ${statusCode}`);
    const body = inOne(answer.body);
    return { url, method, statusCode, statusMessage: String(statusCode), headers: answer.headers, body };
  },
});

async function read(spec: GitProtocolSpec, place: GitPlace, at: Probe): Promise<Found> {
  const { listServerRefs } = await import('isomorphic-git');
  const http = clientOf(place, at);
  const refs = await listServerRefs({ http, url: place.url, protocolVersion: 1, symrefs: true });
  const branches = refs.flatMap(({ ref }) => (ref.startsWith(HEADS) ? [ref.slice(HEADS.length)] : []));
  const head = refs.find(({ ref }) => ref === 'HEAD')?.target?.slice(HEADS.length) ?? null;
  const { branch = head } = spec;
  const commit = refs.find(({ ref }) => ref === `${HEADS}${branch}`)?.oid ?? null;
  const data = { results: { branch, branches, commit } };
  if (spec.branch === undefined || commit !== null) return { data };
  return { data, error: `there is no branch "${spec.branch}"` };
}

async function write(
  spec: GitProtocolSpec & { filename: string },
  place: GitPlace,
  at: Probe,
): Promise<Found> {
  const path = repositoryPath('filename', [{ kind: 'text', text: spec.filename }]);
  if (/[*?]/.test(path)) throw new AppError('invalid', `filename: "${path}" means several files`);
  const now = at.platform.now();
  const job = {
    url: place.url,
    base: spec.branch ?? null,
    branch: null,
    isForced: false,
    isExistingSkipped: false,
    author: AUTHOR,
    message: `Check ${spec.name ?? 'gitProtocol'}`,
    timestamp: Math.floor(now / 1000),
    edits: [],
    files: [{ path, content: `${new Date(now).toISOString()}\n` }],
  };
  const access = {
    authorization: place.headers['authorization'] ?? null,
    isInsecureTls: place.tls.isInsecure === true,
    trust: at.trust,
  };
  const context = { ...at, timeoutMs: at.limitMs, output: () => undefined };
  const { branch, commit } = await updateInThread(job, access, context).catch((error: unknown) => {
    throw withoutFieldNames(error);
  });
  return { data: { results: { branch, branches: [branch], commit } } };
}

function run(spec: GitProtocolSpec, context: KindContext): Promise<KindResult> {
  const { filename, thresholdMillis, timeout = filename === undefined ? undefined : PUSH_TIMEOUT } = spec;
  return probe({ thresholdMillis, timeout }, context, async (at) => {
    const place = await gitPlace(spec, context);
    return filename === undefined ? read(spec, place, at) : write({ ...spec, filename }, place, at);
  });
}

/** A repository that can be read, or written. */
export const gitProtocolKind = registeredKind({
  key: 'gitProtocol',
  title: 'Git repository',
  needs: 'http or https; with filename an account that may push',
  testedAgainst: 'real service',
  example: {
    name: 'deployments',
    repository: 'https://git.example.com/acme/deployments.git',
    username: { value: 'monitor' },
    password: { valueFrom: { secretKeyRef: { name: 'git', key: 'token' } } },
    branch: 'main',
  },
  schema: gitProtocolSchema,
  run,
});
