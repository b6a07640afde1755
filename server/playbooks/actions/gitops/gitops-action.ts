/** gitops: files of a repository are changed, committed, pushed, and a pull request is opened (schema §7.4). */
import type { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../../src/contract/specs/playbook-spec.ts';
import { urlText } from '../../templates/url-text.ts';
import { registered } from '../action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from '../action-kind.ts';
import { jqText } from './jq-text.ts';
import { gitServiceOf, openPullRequest } from './pull-request.ts';
import type { FileEdit, RepositoryUpdate, WrittenFile } from './repository-job.ts';
import { branchName, documentText, repositoryPath } from './repository-text.ts';
import { repositoryAccess, repositoryTarget } from './repository-target.ts';
import type { RepositoryTarget } from './repository-target.ts';
import { updateInThread } from './repository-thread.ts';

type GitopsSpec = z.output<typeof PLAYBOOK_ACTIONS.gitops>;

/** As a file's whole content it takes the file away. */
const DELETE = '$delete';
const MAX_FILES = 100;

interface Rendered {
  url: string;
  isHostChosen: boolean;
  connection: string;
  type: string;
  username: string;
  password: string;
  base: string;
  branch: string;
  isForced: boolean;
  isExistingSkipped: boolean;
  author: { name: string; email: string };
  message: string;
  edits: FileEdit[];
  files: WrittenFile[];
  pr: { title: string; labels: string[] } | null;
}

async function editsOf({ patches = [] }: GitopsSpec, context: RenderContext): Promise<FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const { path, yq, jq } of patches) {
    const expression = jq ?? yq;
    if (expression === undefined || (jq !== undefined && yq !== undefined))
      throw new AppError('invalid', `gitops.patches: ${path}: needs one of yq and jq`);
    edits.push({
      path: repositoryPath('gitops.patches.path', await context.pieces(path)),
      jq: jqText(await context.pieces(expression)),
    });
  }
  return edits;
}

async function filesOf({ files = [] }: GitopsSpec, context: RenderContext): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const { path: given, content } of files) {
    const path = repositoryPath('gitops.files.path', await context.pieces(given));
    if (/[*?]/.test(path)) throw new AppError('invalid', `gitops.files.path: "${path}" means several files`);
    const isDeleted = content.trim() === DELETE;
    written.push({ path, content: isDeleted ? null : documentText(path, await context.pieces(content)) });
  }
  return written;
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}<>]+/gu, ' ').trim();

async function render(spec: GitopsSpec, context: RenderContext): Promise<Rendered> {
  const { repo, commit, pr } = spec;
  const fill = (text: string | undefined) => context.fill(text ?? '');
  const [base, branch] = [await fill(repo.base), await fill(repo.branch)];
  const title = oneLine(await fill(pr?.title));
  const message = (await fill(commit.message)).trim() || title || 'Changed by a playbook';
  const labels = await Promise.all((pr?.tags ?? []).map((tag) => context.fill(String(tag))));
  const [edits, files] = [await editsOf(spec, context), await filesOf(spec, context)];
  if (edits.length + files.length === 0) throw new AppError('invalid', 'gitops: needs patches or files');
  if (files.length > MAX_FILES)
    throw new AppError('invalid', `gitops.files: ${files.length} files; ${MAX_FILES} may be written at once`);
  if (pr !== undefined && (branch === '' || branch === base))
    throw new AppError('invalid', 'gitops.repo.branch: a pull request needs a branch other than its base');
  return {
    ...urlText(await context.pieces(repo.url ?? '')),
    connection: repo.connection ?? '',
    type: repo.type ?? '',
    username: await context.value(repo.username),
    password: await context.value(repo.password),
    base: base === '' ? '' : branchName('gitops.repo.base', base),
    branch: branch === '' ? '' : branchName('gitops.repo.branch', branch),
    isForced: repo.force ?? false,
    isExistingSkipped: repo.skipExisting ?? false,
    author: {
      name: oneLine(await fill(commit.author)) || 'Holdfast',
      email: oneLine(await fill(commit.email)) || 'holdfast@localhost',
    },
    message,
    edits,
    files,
    pr: pr === undefined ? null : { title: title || (message.split('\n')[0] ?? ''), labels },
  };
}

/** Says what was done until then, whatever becomes of the pull request. */
async function withPullRequest(
  update: RepositoryUpdate,
  { rendered, target, lines }: { rendered: Rendered; target: RepositoryTarget; lines: string[] },
  context: ActionContext,
): Promise<ActionOutcome> {
  const { kind, branch, base, commit, changed } = update;
  const git = { url: `${target.url.origin}${target.url.pathname}`, branch, commit };
  const result = { links: [] as string[], pr: null, commit, branch, changed, git };
  const done = (more: object = {}, error: string | null = null): ActionOutcome => ({
    error,
    result: { ...result, logs: lines.join('\n'), ...more },
  });
  // What an earlier run pushed may still lack its pull request.
  if (rendered.pr === null || kind === 'skipped' || commit === null) return done();
  const { url, password: token, isInsecureTls, trust, connectionType } = target;
  const service = gitServiceOf(rendered.type, connectionType, url);
  const { title, labels } = rendered.pr;
  try {
    const asked = { service, url, token, trust, isInsecureTls, title, base, branch, labels };
    const opened = await openPullRequest(asked, context);
    const notes = [
      `${opened.isOld ? 'the pull request is there already:' : 'opened'} ${opened.url}`,
      ...opened.notes,
    ];
    for (const note of notes) {
      lines.push(note);
      context.output('stdout', `${note}\n`);
    }
    return done({ links: [opened.url], pr: opened.number });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return done({}, error.message);
  }
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const target = await repositoryTarget('gitops.repo', rendered, context);
  // Before anything is pushed.
  if (rendered.pr !== null) {
    gitServiceOf(rendered.type, target.connectionType, target.url);
    if (target.password === '')
      throw new AppError('invalid', 'gitops.repo.password: a pull request needs a token');
  }
  const lines: string[] = [];
  const telling: ActionContext = {
    ...context,
    output(stream, text) {
      lines.push(text.trimEnd());
      context.output(stream, text);
    },
  };
  const { author, message, edits, files, isForced, isExistingSkipped } = rendered;
  const job = {
    url: target.url.href,
    base: rendered.base || null,
    branch: rendered.branch || null,
    isForced,
    isExistingSkipped,
    author,
    message,
    timestamp: Math.floor(context.platform.now() / 1000),
    edits,
    files,
  };
  const update = await updateInThread(job, repositoryAccess(target), telling);
  return withPullRequest(update, { rendered, target, lines }, context);
}

/** A commit, and a pull request. */
export const gitopsAction = registered({ name: 'gitops', schema: PLAYBOOK_ACTIONS.gitops, render, run });
