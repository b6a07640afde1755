/** github: starts workflows of GitHub Actions (schema §7.4); whether they succeed is to be seen there. */
import type { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { jsonText } from '../templates/json-text.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';
import { pathName, postJson } from './service-json.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

type GithubSpec = z.output<typeof PLAYBOOK_ACTIONS.github>;

const PUBLIC = 'https://api.github.com';

interface Workflow {
  id: string;
  ref: string;
  inputs: Record<string, unknown>;
}

interface Rendered {
  owner: string;
  repo: string;
  token: string;
  connection: string;
  workflows: Workflow[];
}

async function inputsOf(input: string | undefined, context: RenderContext): Promise<Record<string, unknown>> {
  if (input === undefined || input.trim() === '') return {};
  const text = jsonText(await context.pieces(input));
  let inputs: unknown = null;
  try {
    inputs = JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid', 'github.workflows.input: is not JSON', { cause: error });
  }
  if (!isRecord(inputs)) throw new AppError('invalid', 'github.workflows.input: must be an object');
  return inputs;
}

async function render(spec: GithubSpec, context: RenderContext): Promise<Rendered> {
  const workflows: Workflow[] = [];
  for (const { id, ref = 'main', input } of spec.workflows)
    workflows.push({
      id: await context.fill(id),
      ref: await context.fill(ref),
      inputs: await inputsOf(input, context),
    });
  // `owner/name` as well as a name beside the owner; what is put in names one of the two, never both.
  const at = spec.repo.indexOf('/');
  return {
    owner: await context.fill(at === -1 ? spec.username : spec.repo.slice(0, at)),
    repo: await context.fill(spec.repo.slice(at + 1)),
    token: await context.value(spec.token),
    connection: spec.connection ?? '',
    workflows,
  };
}

/** A connection may name the API, a server of one's own, or a repository there. */
function apiOf(url: string): string {
  if (url === '') return PUBLIC;
  if (!URL.canParse(url)) throw new AppError('invalid', 'github.connection: its address is not a URL');
  const { hostname, pathname, origin } = new URL(url);
  if (hostname === 'github.com' || hostname === 'api.github.com') return PUBLIC;
  return pathname.startsWith('/api/') ? trimEnd(url, '/') : `${origin}/api/v3`;
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { owner, repo, connection, workflows } = rendered;
  const found = connection === '' ? null : await context.connection(connection);
  if (connection !== '' && found === null)
    throw new AppError('invalid', `github.connection: ${connection} was not found`);
  const token = rendered.token || (found?.password ?? '');
  if (token === '') throw new AppError('invalid', 'github.token: is missing, here or in the connection');
  const root = `${apiOf(found?.url ?? '')}/repos/${pathName('github.username', owner)}/${pathName('github.repo', repo)}`;
  const started: { id: string; ref: string }[] = [];
  for (const { id, ref, inputs } of workflows) {
    const what = `workflow ${id}`;
    const url = new URL(`${root}/actions/workflows/${pathName('github.workflows.id', id)}/dispatches`);
    try {
      await postJson(
        {
          what,
          url,
          authorization: `Bearer ${token}`,
          headers: { 'x-github-api-version': '2022-11-28' },
          body: { ref, inputs },
          isInsecureTls: found?.isInsecureTls ?? false,
        },
        context,
      );
    } catch (error) {
      // What was started already is started, whatever becomes of the rest.
      if (!(error instanceof AppError)) throw error;
      return { error: error.message, result: { workflows: started } };
    }
    context.output('stdout', `${what} was started on ${ref}\n`);
    started.push({ id, ref });
  }
  return { error: null, result: { workflows: started } };
}

/** Workflows that are started. */
export const githubAction = registered({ name: 'github', schema: PLAYBOOK_ACTIONS.github, render, run });
