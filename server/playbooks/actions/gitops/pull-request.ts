/** Pull requests at GitHub, GitLab and Gitea (Forgejo alike): opened, or found where there is one already. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { EgressTrust } from '../../../platform/egress/egress-guard.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { ActionContext } from '../action-kind.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

const SERVICES = ['github', 'gitlab', 'gitea'] as const;
export type GitService = (typeof SERVICES)[number];

export interface PullRequest {
  service: GitService;
  /** Of the repository, without credentials. */
  url: URL;
  token: string;
  trust: EgressTrust;
  isInsecureTls: boolean;
  title: string;
  base: string;
  branch: string;
  labels: readonly string[];
}

export interface OpenedPullRequest {
  number: number;
  url: string;
  /** It was there before. */
  isOld: boolean;
  /** What went wrong beside it, for people. */
  notes: string[];
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const HINTS: Readonly<Record<number, string>> = {
  401: 'the credentials are not accepted',
  403: 'the credentials may not do this',
  404: 'there is no such repository, or the credentials may not see it',
};

/** Which service the repository is at: as it is said, as its connection says, or by its host. */
export function gitServiceOf(type: string, connectionType: string, url: URL): GitService {
  const said = SERVICES.find((name) => name === type.toLowerCase());
  if (type !== '' && said === undefined)
    throw new AppError('invalid', `gitops.repo.type: "${type}" is none of ${SERVICES.join(', ')}`);
  const { hostname } = url;
  const found =
    said ??
    SERVICES.find((name) => name === connectionType) ??
    SERVICES.find((name) => hostname.split('.').includes(name)) ??
    (hostname === 'codeberg.org' ? 'gitea' : undefined);
  if (found === undefined)
    throw new AppError(
      'invalid',
      `gitops.repo.type: say at which service ${hostname} is: ${SERVICES.join(', ')}`,
    );
  return found;
}

/** `owner/name`, or with GitLab any groups before the name. */
function projectOf({ pathname }: URL, service: GitService): string {
  const names = trimEnd(pathname, '/')
    .replace(/\.git$/, '')
    .split('/')
    .filter((name) => name !== '')
    .map(decodeURIComponent);
  const isRight = service === 'gitlab' ? names.length >= 2 : names.length === 2;
  if (!isRight || names.some((name) => /^\.+$/.test(name)))
    throw new AppError('invalid', 'gitops.repo.url: its path does not name a repository of that service');
  return names.map(encodeURIComponent).join('/');
}

interface Api {
  /** Null for a status of `quiet`. */
  call: (
    method: string,
    path: string,
    more?: { body?: object; quiet?: readonly number[] },
  ) => Promise<unknown>;
}

function apiOf(root: string, headers: Record<string, string>, { request, context }: Calling): Api {
  return {
    async call(method, path, { body, quiet = [] } = {}) {
      const { guard, signal } = context;
      const answer = await requestThroughGuard(guard, request.trust, {
        request: {
          method,
          url: new URL(`${root}${path}`),
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'user-agent': 'holdfast-playbook',
            ...headers,
          },
          body: body === undefined ? null : JSON.stringify(body),
          timeoutMs: context.timeoutMs,
          maxRedirects: 0,
          maxBodyBytes: MAX_ANSWER_BYTES,
          tls: { isInsecure: request.isInsecureTls },
        },
        signal,
      });
      const { statusCode } = answer;
      if (quiet.includes(statusCode)) return null;
      if (statusCode < 200 || statusCode > 299)
        throw new AppError(
          'server',
          `gitops.pr: HTTP ${statusCode}, ${HINTS[statusCode] ?? 'the service does not accept what was asked'}`,
        );
      try {
        return JSON.parse(answer.body.toString('utf8')) as unknown;
      } catch (error) {
        throw new AppError('bad_payload', 'gitops.pr: the answer is not JSON', { cause: error });
      }
    },
  };
}

interface Calling {
  request: PullRequest;
  context: ActionContext;
}

const githubAnswer = z.object({ number: z.number(), html_url: z.string() });
const gitlabAnswer = z.object({ iid: z.number(), web_url: z.string() });

async function atGithub(calling: Calling): Promise<OpenedPullRequest> {
  const { title, base, branch, labels, token, url } = calling.request;
  const root = url.hostname === 'github.com' ? 'https://api.github.com' : `${url.origin}/api/v3`;
  const headers = { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' };
  const { call } = apiOf(root, headers, calling);
  const project = projectOf(url, 'github');
  const made = await call('POST', `/repos/${project}/pulls`, {
    body: { title, head: branch, base },
    quiet: [422],
  });
  if (made === null) {
    const query = new URLSearchParams({
      state: 'open',
      base,
      head: `${project.split('/')[0] ?? ''}:${branch}`,
    });
    const [old] = z
      .array(githubAnswer)
      .parse(await call('GET', `/repos/${project}/pulls?${query.toString()}`));
    if (old === undefined)
      throw new AppError('server', 'gitops.pr: HTTP 422, the service does not accept it');
    return { number: old.number, url: old.html_url, isOld: true, notes: [] };
  }
  const { number, html_url: link } = githubAnswer.parse(made);
  const notes: string[] = [];
  if (labels.length > 0) {
    const body = { labels };
    const told = await call('POST', `/repos/${project}/issues/${number}/labels`, {
      body,
      quiet: [403, 404, 422],
    });
    if (told === null) notes.push('the labels were not accepted');
  }
  return { number, url: link, isOld: false, notes };
}

async function atGitlab(calling: Calling): Promise<OpenedPullRequest> {
  const { title, base, branch, labels, token, url } = calling.request;
  const { call } = apiOf(`${url.origin}/api/v4`, { authorization: `Bearer ${token}` }, calling);
  const place = `/projects/${projectOf(url, 'gitlab').replaceAll('/', '%2F')}/merge_requests`;
  const places = { source_branch: branch, target_branch: base };
  const body = { ...places, title, ...(labels.length > 0 ? { labels: labels.join(',') } : {}) };
  const made = await call('POST', place, { body, quiet: [409] });
  const query = new URLSearchParams({ state: 'opened', ...places });
  const [found] =
    made === null
      ? z.array(gitlabAnswer).parse(await call('GET', `${place}?${query.toString()}`))
      : [gitlabAnswer.parse(made)];
  if (found === undefined)
    throw new AppError('server', 'gitops.pr: HTTP 409, the service does not accept it');
  return { number: found.iid, url: found.web_url, isOld: made === null, notes: [] };
}

async function atGitea(calling: Calling): Promise<OpenedPullRequest> {
  const { title, base, branch, labels, token, url } = calling.request;
  const { call } = apiOf(`${url.origin}/api/v1`, { authorization: `token ${token}` }, calling);
  const place = `/repos/${projectOf(url, 'gitea')}`;
  const notes: string[] = [];
  let ids: number[] = [];
  if (labels.length > 0) {
    const known = z
      .array(z.object({ id: z.number(), name: z.string() }))
      .parse(await call('GET', `${place}/labels?limit=100`));
    ids = known.filter(({ name }) => labels.includes(name)).map(({ id }) => id);
    const missing = labels.filter((label) => !known.some(({ name }) => name === label));
    if (missing.length > 0) notes.push(`the repository has no label ${missing.join(', ')}`);
  }
  const body = { title, head: branch, base, labels: ids };
  const made = await call('POST', `${place}/pulls`, { body, quiet: [409] });
  const found = githubAnswer.parse(
    made ?? (await call('GET', `${place}/pulls/${encodeURIComponent(base)}/${encodeURIComponent(branch)}`)),
  );
  return { number: found.number, url: found.html_url, isOld: made === null, notes };
}

const AT = { github: atGithub, gitlab: atGitlab, gitea: atGitea };

/** Throws an AppError that repeats nothing of what the service answered. */
export async function openPullRequest(
  request: PullRequest,
  context: ActionContext,
): Promise<OpenedPullRequest> {
  const calling = { request, context };
  try {
    return await AT[request.service](calling);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AppError('bad_payload', 'gitops.pr: the answer is not what that service answers', {
      cause: error,
    });
  }
}
