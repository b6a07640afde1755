/**
 * The server's end of the thread that works on a repository: makes its calls, with credentials and through the guard, and
 * ends it with its action, or when an expression takes too long.
 */
import { rm } from 'node:fs/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import * as Comlink from 'comlink';
import { AppError } from '../../../../src/contract/errors.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import type { EgressTrust } from '../../../platform/egress/egress-guard.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import { makeWorkFolder } from '../../../platform/exec/work-folder.ts';
import { Turns } from '../../../platform/jobs/turns.ts';
import type { ActionContext } from '../action-kind.ts';
import type {
  CheckoutJob,
  GitAnswer,
  GitRequest,
  RepositoryHost,
  RepositoryJob,
  RepositoryUpdate,
  ThreadFailure,
} from './repository-job.ts';
import type { RepositoryThread } from './repository.worker.ts';

/** All that one action may fetch; a commit and its files, without their history. */
const MAX_FETCHED_BYTES = 128 * 1024 * 1024;
/** Threads of one server: each may take some hundreds of MB. */
const turns = new Turns(4);
const MAX_REDIRECTS = 5;
const EDIT_LIMIT_MS = 30_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512 };
const USER_AGENT = 'git/2.0 (holdfast-playbook)';
const HINTS: Readonly<Record<number, string>> = {
  401: 'the credentials are missing or not accepted',
  403: 'the credentials may not do this',
  404: 'there is no such repository, or the credentials may not see it',
};

export interface RepositoryAccess {
  /** Sent with each call; null for none. */
  authorization: string | null;
  isInsecureTls: boolean;
  /** Of the authority that the server's certificate is from, in PEM; those that are known unless given. */
  ca?: string | undefined;
  trust: EgressTrust;
}

/** The parts of an action's context that the thread needs; checks and scrapers have them too. */
type RepositoryContext = Pick<ActionContext, 'guard' | 'signal' | 'timeoutMs' | 'output'> & {
  platform: Pick<ActionContext['platform'], 'sleep'>;
};

function startWorker(): { worker: Worker; port: MessagePort } {
  const file = import.meta.url.endsWith('.ts') ? './repository-from-source.mjs' : './repository.worker.js';
  const { port1: port, port2 } = new MessageChannel();
  const worker = new Worker(new URL(file, import.meta.url), {
    execArgv: [],
    resourceLimits: THREAD_LIMITS,
    workerData: port2,
    transferList: [port2],
  });
  return { worker, port };
}

/** Calls of one action, all together within the limit. */
function callerOf(access: RepositoryAccess, context: RepositoryContext, signal: AbortSignal) {
  let leftBytes = MAX_FETCHED_BYTES;
  return async ({ url, method, headers, body }: GitRequest): Promise<GitAnswer> => {
    const { authorization } = access;
    const request = {
      method,
      url: new URL(url),
      headers: {
        ...headers,
        'user-agent': USER_AGENT,
        ...(authorization === null ? {} : { authorization }),
      },
      body: body === null ? null : Buffer.from(body),
      timeoutMs: context.timeoutMs,
      maxRedirects: method === 'GET' ? MAX_REDIRECTS : 0,
      maxBodyBytes: leftBytes,
      tls: { isInsecure: access.isInsecureTls, ca: access.ca },
    };
    const answer = await requestThroughGuard(context.guard, access.trust, { request, signal });
    const { statusCode } = answer;
    if (statusCode > 299)
      throw new AppError(
        'server',
        `gitops.repo: HTTP ${statusCode}, ${HINTS[statusCode] ?? 'the request was refused'}`,
      );
    leftBytes -= answer.body.length;
    if (answer.isBodyCut)
      throw new AppError(
        'bad_payload',
        `gitops.repo: more than ${MAX_FETCHED_BYTES} bytes are to be fetched`,
      );
    return { url, statusCode, headers: answer.headers, body: answer.body };
  };
}

interface Watching {
  /** Ends the thread. */
  signal: AbortSignal;
  /** What went wrong on this side, first things first. */
  problems: Error[];
  fail: (problem: Error) => void;
}

/** What the thread asks for; `stop` ends the watch over its edits. */
function hostOf(access: RepositoryAccess, context: RepositoryContext, { signal, problems, fail }: Watching) {
  const call = callerOf(access, context, signal);
  let watch = new AbortController();
  const host: RepositoryHost = {
    async request(request) {
      try {
        return await call(request);
      } catch (error) {
        // As it is, not as it comes back from the thread.
        if (error instanceof AppError) problems.push(error);
        throw error;
      }
    },
    tell: (line) => context.output('stdout', `${line}\n`),
    edits(areUnderWay) {
      watch.abort();
      watch = new AbortController();
      const { signal: isOver } = watch;
      if (!areUnderWay) return;
      void context.platform.sleep(EDIT_LIMIT_MS, isOver).then(() => {
        if (!isOver.aborted)
          fail(new AppError('invalid', `gitops.patches: took longer than ${EDIT_LIMIT_MS / 1000} s`));
      });
    },
  };
  return { host, stop: () => watch.abort() };
}

const isFailure = (answer: object): answer is ThreadFailure => 'failure' in answer;

async function inThread<T extends object>(
  work: (thread: Comlink.Remote<RepositoryThread>, host: RepositoryHost) => Promise<T | ThreadFailure>,
  access: RepositoryAccess,
  context: RepositoryContext,
): Promise<T> {
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const problems: Error[] = [];
  const fail = (problem: Error) => {
    problems.push(problem);
    ending.abort();
  };
  const { worker, port } = startWorker();
  worker.on('error', () => fail(new AppError('invalid', 'gitops: the repository needs too much memory')));
  const { host, stop } = hostOf(access, context, { signal, problems, fail });
  // The same port as in a browser; only the types of what may be handed over differ.
  const thread = Comlink.wrap<RepositoryThread>(port as unknown as Comlink.Endpoint);
  try {
    const answer = await orAborted<T | ThreadFailure>(work(thread, Comlink.proxy(host)), signal);
    if (!isFailure(answer)) return answer;
    if (problems[0] !== undefined) throw problems[0];
    const { isInvalid, message } = answer.failure;
    throw new AppError(isInvalid ? 'invalid' : 'server', isInvalid ? message : `gitops.repo: ${message}`);
  } catch (error) {
    throw problems[0] ?? error;
  } finally {
    stop();
    ending.abort();
    // Here, and not when memory is tidied: a thread that nothing names any more loses its line, and with it the answer.
    thread[Comlink.releaseProxy]();
    port.close();
    await worker.terminate();
  }
}

/** Throws an AppError; what people can mend is `invalid`. */
export async function updateInThread(
  job: Omit<RepositoryJob, 'gitdir'>,
  access: RepositoryAccess,
  context: RepositoryContext,
): Promise<RepositoryUpdate> {
  if (turns.areTaken) context.output('stdout', 'other repositories come first\n');
  return turns.during(context.signal, async () => {
    const gitdir = await makeWorkFolder('gitops');
    try {
      return await inThread<RepositoryUpdate>(
        (thread, host) => thread.update({ ...job, gitdir }, host),
        access,
        context,
      );
    } finally {
      await rm(gitdir, { recursive: true, force: true });
    }
  });
}

/** Fetches one commit with its files into `dir`; answers the commit. Throws as `updateInThread` does. */
export async function checkOutInThread(
  job: CheckoutJob,
  access: RepositoryAccess,
  context: RepositoryContext,
): Promise<{ commit: string }> {
  return turns.during(context.signal, () =>
    inThread((thread, host) => thread.checkOut(job, host), access, context),
  );
}

/** What went wrong, for who knows no fields of the action. */
export function withoutFieldNames(error: unknown): Error {
  if (!(error instanceof AppError)) return error instanceof Error ? error : new Error(String(error));
  const message = error.message.replace(/^gitops(\.\w+)*: /, '');
  return message === error.message ? error : new AppError(error.code, message, { cause: error });
}
