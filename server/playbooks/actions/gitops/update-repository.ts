/**
 * Fetches the newest commit of a branch, changes files, commits and pushes. Invariants: nothing is pushed that is not one
 * commit on top of what the remote has, unless `isForced`; when the remote moved meanwhile, all is done anew on top of it.
 */
import fs from 'node:fs';
import {
  addRemote,
  Errors,
  fetch as fetchRefs,
  init,
  listServerRefs,
  push,
  readCommit,
  writeCommit,
  writeRef,
} from 'isomorphic-git';
import type { GitHttpRequest, HttpClient, ServerRef } from 'isomorphic-git';
import { AppError } from '../../../../src/contract/errors.ts';
import { editDocument } from './edit-document.ts';
import type { JqText } from './jq-text.ts';
import type { RepositoryHost, RepositoryJob, RepositoryUpdate } from './repository-job.ts';
import { TreeEdit } from './tree-edit.ts';
import type { ObjectStore } from './tree-edit.ts';

const REMOTE = 'origin';
const HEADS = 'refs/heads/';
const MAX_TRIES = 3;

async function wholeBody(body: GitHttpRequest['body']): Promise<Uint8Array | null> {
  if (body === undefined) return null;
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

async function* inOne(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

/** isomorphic-git's calls, made by the server. */
export const clientOf = (host: Pick<RepositoryHost, 'request'>): HttpClient => ({
  async request({ url, method = 'GET', headers = {}, body }) {
    const answer = await host.request({ url, method, headers, body: await wholeBody(body) });
    const { statusCode } = answer;
    return { ...answer, method, statusMessage: String(statusCode), body: inOne(answer.body) };
  },
});

interface Place {
  base: string;
  branch: string;
  /** Where the commit goes on top of. */
  start: string;
  isThere: boolean;
}

function placeOf(job: RepositoryJob, refs: readonly ServerRef[]): Place {
  const has = (branch: string) => refs.some(({ ref }) => ref === `${HEADS}${branch}`);
  const head = refs.find(({ ref }) => ref === 'HEAD')?.target?.slice(HEADS.length);
  const base = job.base ?? head;
  if (base === undefined || !refs.some(({ ref }) => ref.startsWith(HEADS)))
    throw new AppError('invalid', 'gitops.repo: the repository has no branch to begin from');
  if (!has(base)) throw new AppError('invalid', `gitops.repo.base: there is no branch "${base}"`);
  const branch = job.branch ?? base;
  const isThere = has(branch) && branch !== base;
  return { base, branch, isThere, start: isThere && !job.isForced ? branch : base };
}

async function editFile(tree: TreeEdit, name: string, jq: JqText): Promise<boolean> {
  const before = (await tree.read(name)) ?? '';
  try {
    return await tree.write(name, await editDocument(name, before, jq));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid', `gitops.patches: ${name}: ${error.message}`, { cause: error });
  }
}

async function changeFiles(tree: TreeEdit, job: RepositoryJob, host: RepositoryHost): Promise<string[]> {
  const changed = new Set<string>();
  for (const { path, jq } of job.edits) {
    const found = await tree.matching(path);
    if (found.length === 0) throw new AppError('invalid', `gitops.patches: there is no file "${path}"`);
    for (const name of found) if (await editFile(tree, name, jq)) changed.add(name);
  }
  for (const { path, content } of job.files) if (await tree.write(path, content)) changed.add(path);
  for (const name of changed) host.tell(`changed ${name}`);
  return [...changed].toSorted();
}

interface Work {
  job: RepositoryJob;
  host: RepositoryHost;
  http: HttpClient;
  store: ObjectStore;
}

/** The commit; null where nothing changed. */
async function commitOn(parent: string, { job, host, store }: Work) {
  const { commit } = await readCommit({ ...store, oid: parent });
  const tree = new TreeEdit(store, commit.tree);
  host.edits(true);
  const changed = await changeFiles(tree, job, host);
  const written = await tree.save();
  host.edits(false);
  if (written === commit.tree) return { oid: null, changed: [] };
  const author = { ...job.author, timestamp: job.timestamp, timezoneOffset: 0 };
  const message = job.message.endsWith('\n') ? job.message : `${job.message}\n`;
  const oid = await writeCommit({
    ...store,
    commit: { tree: written, parent: [parent], author, committer: author, message },
  });
  return { oid, changed };
}

/** One attempt; throws what the push was refused for. */
async function attempt(work: Work): Promise<RepositoryUpdate> {
  const { job, host, http, store } = work;
  const { url } = job;
  const refs = await listServerRefs({ http, url, protocolVersion: 1, symrefs: true });
  const { base, branch, start, isThere } = placeOf(job, refs);
  const place = { base, branch };
  if (isThere && job.isExistingSkipped) {
    host.tell(`the branch ${branch} is there already; nothing is done`);
    return { kind: 'skipped', ...place, commit: null, changed: [] };
  }
  host.tell(`reading ${start}`);
  const fetched = await fetchRefs({
    ...store,
    http,
    url,
    ref: start,
    remote: REMOTE,
    singleBranch: true,
    depth: 1,
  });
  const parent = fetched.fetchHead ?? '';
  const { oid, changed } = await commitOn(parent, work);
  if (oid === null) {
    host.tell('nothing changes');
    return { kind: 'unchanged', ...place, commit: isThere && !job.isForced ? parent : null, changed: [] };
  }
  await writeRef({ ...store, ref: `${HEADS}${branch}`, value: oid, force: true });
  // What the remote has of the start is not sent again.
  const known = { ref: `refs/remotes/${REMOTE}/HEAD`, value: `refs/remotes/${REMOTE}/${start}` };
  await writeRef({ ...store, ...known, symbolic: true, force: true });
  const sent = await push({
    ...store,
    http,
    url,
    remote: REMOTE,
    ref: `${HEADS}${branch}`,
    remoteRef: `${HEADS}${branch}`,
    force: job.isForced && isThere,
  });
  if (!sent.ok) throw new AppError('server', `the push was refused: ${sent.error ?? 'no reason given'}`);
  host.tell(`pushed ${oid.slice(0, 10)} to ${branch}`);
  return { kind: 'pushed', ...place, commit: oid, changed };
}

const isMoved = (error: unknown): boolean =>
  error instanceof Errors.PushRejectedError && error.data.reason === 'not-fast-forward';

/** Throws an AppError for what people can mend, isomorphic-git's errors for the rest. */
export async function updateRepository(job: RepositoryJob, host: RepositoryHost): Promise<RepositoryUpdate> {
  const { gitdir } = job;
  const store = { fs, gitdir, cache: {} };
  await init({ fs, gitdir, bare: true });
  await addRemote({ fs, gitdir, remote: REMOTE, url: job.url });
  const work = { job, host, http: clientOf(host), store };
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(work);
    } catch (error) {
      if (!isMoved(error) || tries === MAX_TRIES) throw error;
      host.tell('the branch moved meanwhile; once more on top of it');
    }
  }
}
