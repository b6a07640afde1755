/** azureDevopsPipeline: starts a pipeline of Azure DevOps (schema §7.4); whether it succeeds is to be seen there. */
import type { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';
import { pathName, postJson } from './service-json.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

type PipelineSpec = z.output<typeof PLAYBOOK_ACTIONS.azureDevopsPipeline>;

const PUBLIC = 'https://dev.azure.com';
const API_VERSION = '7.1';

interface Rendered {
  /** With the organisation. */
  root: string;
  project: string;
  token: string;
  pipeline: string;
  version: string;
  parameters: Record<string, string>;
}

/** A name at dev.azure.com, or the address of a server of one's own as the author wrote it: no template makes it. */
async function rootOf(org: string, context: RenderContext): Promise<string> {
  if (org.includes('{{') || !URL.canParse(org))
    return `${PUBLIC}/${pathName('azureDevopsPipeline.org', await context.fill(org))}`;
  return trimEnd(org, '/');
}

async function render(spec: PipelineSpec, context: RenderContext): Promise<Rendered> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(spec.parameters ?? {}))
    parameters[name] = await context.fill(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    root: await rootOf(spec.org, context),
    project: await context.fill(spec.project),
    token: await context.value(spec.token),
    pipeline: await context.fill(String(spec.pipeline.id)),
    version: await context.fill(String(spec.pipeline.version ?? '')),
    parameters,
  };
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { root, project, token, pipeline, version, parameters } = rendered;
  if (token === '') throw new AppError('invalid', 'azureDevopsPipeline.token: is missing');
  const place = `${pathName('azureDevopsPipeline.project', project)}/_apis/pipelines/${pathName('azureDevopsPipeline.pipeline.id', pipeline)}`;
  const url = new URL(`${root}/${place}/runs`);
  url.searchParams.set('api-version', API_VERSION);
  if (version !== '') url.searchParams.set('pipelineVersion', version);
  const answer = await postJson(
    {
      what: `pipeline ${pipeline}`,
      url,
      authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
      body: { templateParameters: parameters },
      isInsecureTls: false,
    },
    context,
  );
  const { id, name, state, _links: links } = isRecord(answer) ? answer : {};
  const web = isRecord(links) && isRecord(links['web']) ? links['web']['href'] : null;
  context.output('stdout', `pipeline ${pipeline} was started\n`);
  return { error: null, result: { id, name, state, links: typeof web === 'string' ? [web] : [] } };
}

/** A pipeline that is started. */
export const azureDevopsAction = registered({
  name: 'azureDevopsPipeline',
  schema: PLAYBOOK_ACTIONS.azureDevopsPipeline,
  render,
  run,
});
