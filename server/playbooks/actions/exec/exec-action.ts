/** exec: a script with bash, only where the server was started with ALLOW_EXEC=true (schema §7.4). */
import { AppError } from '../../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../../src/contract/specs/playbook-spec.ts';
import type { z } from 'zod';
import { runScript } from '../../../platform/exec/run-script.ts';
import { givenByConnections } from '../../../connections/exec-connections.ts';
import type { ExecConnections } from '../../../connections/exec-connections.ts';
import { shellText } from '../../templates/shell-text.ts';
import { urlText } from '../../templates/url-text.ts';
import { checkoutFolder } from '../gitops/repository-text.ts';
import { checkedOut, CHECKOUT_FIELD } from './exec-checkout.ts';
import type { CheckedOut, Checkout } from './exec-checkout.ts';
import { registered } from '../action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from '../action-kind.ts';

const EXEC_OFF = 'exec is switched off on this server; its operator can start it with ALLOW_EXEC=true';

type ExecSpec = z.output<typeof PLAYBOOK_ACTIONS.exec>;

interface Rendered {
  script: string;
  env: Record<string, string>;
  artifacts: string[];
  connections: ExecConnections<string>;
  checkout: Checkout | null;
}

async function filledConnections(given: ExecSpec['connections'], context: RenderContext) {
  const filled: Record<string, Record<string, string>> = {};
  for (const [cloud, fields] of Object.entries(given ?? {})) {
    const texts: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields ?? {}))
      if (value !== undefined) texts[name] = await context.value(value);
    filled[cloud] = texts;
  }
  return filled;
}

async function filledCheckout(given: ExecSpec['checkout'], context: RenderContext): Promise<Checkout | null> {
  if (given === undefined) return null;
  const fill = (text: string | undefined) => context.fill(text ?? '');
  const checkout = {
    ...urlText(await context.pieces(given.url ?? '')),
    connection: await fill(given.connection),
    username: await context.value(given.username),
    password: await context.value(given.password),
    certificate: await context.value(given.certificate),
    branch: await fill(given.branch),
    destination: await fill(given.destination),
  };
  // Said before anything is fetched.
  checkoutFolder(CHECKOUT_FIELD, checkout.destination);
  return checkout;
}

async function render(spec: ExecSpec, context: RenderContext): Promise<Rendered> {
  const { script, env } = shellText(await context.pieces(spec.script));
  const own: Record<string, string> = {};
  for (const entry of spec.env ?? []) own[entry.name] = await context.value(entry);
  const artifacts = await Promise.all((spec.artifacts ?? []).map(({ path }) => context.fill(path)));
  return {
    script,
    env: { ...context.env, ...own, ...env },
    artifacts,
    connections: await filledConnections(spec.connections, context),
    checkout: await filledCheckout(spec.checkout, context),
  };
}

/** What a script may want of the repository that it begins in. */
const gitVariables = ({ url, branch, commit }: CheckedOut['git']) => ({
  GIT_URL: url,
  GIT_BRANCH: branch ?? '',
  GIT_COMMIT: commit,
});

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { script, env, artifacts, connections, checkout } = rendered;
  if (!context.isExecAllowed) throw new AppError('forbidden', EXEC_OFF);
  const given = await givenByConnections(connections, {
    value: (text) => Promise.resolve(text),
    connection: context.connection,
  });
  context.refuseScripts();
  const { signal, maxOutputBytes, output } = context;
  let left: { git?: CheckedOut['git'] } = {};
  const ended = await runScript({
    script,
    env,
    signal,
    maxOutputBytes,
    wantedFiles: artifacts,
    output,
    prepare: async (folder) => {
      const ofConnections = await given(folder);
      if (checkout === null) return { env: ofConnections, startIn: '' };
      const { startIn, git } = await checkedOut(checkout, folder, context);
      left = { git };
      return { env: { ...ofConnections, ...gitVariables(git) }, startIn };
    },
  });
  const result = {
    stdout: ended.stdout,
    stderr: ended.stderr,
    exitCode: ended.exitCode ?? -1,
    path: '/bin/bash',
    args: ['-c', script],
    ...left,
  };
  const { files, problems } = ended.left;
  const problem = ended.isCut
    ? `wrote more than ${maxOutputBytes} bytes and was stopped`
    : ended.exitCode === 0
      ? null
      : ended.stderr.split('\n').at(-1) || `exit code ${ended.exitCode ?? 'none'}`;
  return { error: problem, files, result: problems.length > 0 ? { ...result, problems } : result };
}

/** A script. */
export const execAction = registered({ name: 'exec', schema: PLAYBOOK_ACTIONS.exec, render, run });
