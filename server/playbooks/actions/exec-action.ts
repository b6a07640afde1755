/** exec: a script with bash, only where the server was started with ALLOW_EXEC=true (schema §7.4). */
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import type { z } from 'zod';
import { runScript } from '../../platform/exec/run-script.ts';
import { shellText } from '../templates/shell-text.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';

const EXEC_OFF = 'exec is switched off on this server; its operator can start it with ALLOW_EXEC=true';

type ExecSpec = z.output<typeof PLAYBOOK_ACTIONS.exec>;

interface Rendered {
  script: string;
  env: Record<string, string>;
  artifacts: string[];
}

async function render(spec: ExecSpec, context: RenderContext): Promise<Rendered> {
  const missing = (['checkout', 'connections'] as const).find((key) => spec[key] !== undefined);
  if (missing !== undefined) throw new AppError('invalid', `exec.${missing} is not supported by this server`);
  const { script, env } = shellText(await context.pieces(spec.script));
  const own: Record<string, string> = {};
  for (const entry of spec.env ?? []) own[entry.name] = await context.value(entry);
  const artifacts = await Promise.all((spec.artifacts ?? []).map(({ path }) => context.fill(path)));
  return { script, env: { ...context.env, ...own, ...env }, artifacts };
}

async function run({ script, env, artifacts }: Rendered, context: ActionContext): Promise<ActionOutcome> {
  if (!context.isExecAllowed) throw new AppError('forbidden', EXEC_OFF);
  context.refuseScripts();
  const { signal, maxOutputBytes, output } = context;
  const ended = await runScript({ script, env, signal, maxOutputBytes, wantedFiles: artifacts, output });
  const result = {
    stdout: ended.stdout,
    stderr: ended.stderr,
    exitCode: ended.exitCode ?? -1,
    path: '/bin/bash',
    args: ['-c', script],
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
