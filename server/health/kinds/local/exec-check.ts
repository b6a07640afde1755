/**
 * exec: runs a script with bash, only where the server was started with ALLOW_EXEC=true. A clean environment, a
 * folder of its own, a process group that is killed whole, and a limit on time and output.
 */
import { runScript } from '../../../platform/exec/run-script.ts';
import type { LeftFiles } from '../../../platform/exec/collect-files.ts';
import type { ScriptEnd } from '../../../platform/exec/run-script.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { failed, invalid, notRun, passed } from '../../kind/check-kind.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { readValue } from '../../kind/secret-values.ts';
import { z } from 'zod';
import { checkedOut, checkoutSchema } from './exec-checkout.ts';
import { leftFiles } from '../../../../src/contract/specs/file-patterns.ts';
import { execConnectionsOf } from '../../../../src/contract/specs/exec-connections.ts';
import { givenByConnections } from '../../../connections/exec-connections.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import type { RunEnvironment } from '../../kind/registered-kind.ts';
import { common, namedValues, required, valueSchema } from '../../kind/spec-fields.ts';

const execSchema = z.strictObject({
  ...common,
  script: required,
  env: namedValues.optional(),
  timeout: z.number().min(1).max(600).optional(),
  connections: execConnectionsOf(valueSchema).optional(),
  checkout: checkoutSchema.optional(),
  artifacts: leftFiles,
});
type ExecSpec = z.output<typeof execSchema>;

const EXEC_OFF =
  'exec checks are switched off on this server; its operator can start it with ALLOW_EXEC=true';

/** Why an exec check can't run here, or null. */
function execNotRun(_spec: ExecSpec, place: Pick<RunEnvironment, 'isExecAllowed'>): string | null {
  return place.isExecAllowed ? null : EXEC_OFF;
}

const DEFAULT_LIMIT_S = 60;
const MAX_OUTPUT_BYTES = 256 * 1024;
async function environmentOf(spec: ExecSpec, context: KindContext): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const entry of spec.env ?? []) environment[entry.name ?? ''] = await readValue(entry, context);
  return environment;
}

function judge(
  spec: ExecSpec,
  ended: ScriptEnd,
  { durationMs, maxOutputBytes }: { durationMs: number; maxOutputBytes: number },
): KindResult {
  const data = { results: { stdout: ended.stdout, stderr: ended.stderr, exitCode: ended.exitCode ?? -1 } };
  if (ended.isCut) return failed(`wrote more than ${maxOutputBytes} bytes and was stopped`, durationMs, data);
  if (spec.test === undefined && ended.exitCode !== 0)
    return failed(ended.stderr.split('\n')[0] || `exit code ${ended.exitCode ?? 'none'}`, durationMs, data);
  return passed(durationMs, data, ended.stdout);
}

/** The result with what the script left; what could not be kept of it is said. */
function withFiles(result: KindResult, { files, problems }: LeftFiles): KindResult {
  const message = [result.message ?? '', ...problems].filter((text) => text !== '').join('\n');
  return { ...result, files, message: message === '' ? null : message };
}

/** Not run where commands aren't allowed, for this specification or at all. */
async function runExecCheck(spec: ExecSpec, context: KindContext): Promise<KindResult> {
  const reason = execNotRun(spec, context);
  if (reason !== null) return notRun(reason);
  const limitMs = (spec.timeout ?? DEFAULT_LIMIT_S) * 1000;
  const { maxOutputBytes = MAX_OUTPUT_BYTES } = context;
  const startedMs = context.platform.now();
  const elapsed = () => context.platform.now() - startedMs;
  const timeout = AbortSignal.timeout(limitMs);
  try {
    const env = await environmentOf(spec, context);
    const given = await givenByConnections(spec.connections ?? {}, {
      value: (own) => readValue(own, context),
      connection: context.connection,
    });
    context.refuseScripts();
    const signal = AbortSignal.any([context.signal, timeout]);
    const ended = await runScript({
      script: spec.script,
      env,
      signal,
      prepare: async (folder) => ({
        env: await given(folder),
        startIn: await checkedOut(spec.checkout, folder, { ...context, signal, timeoutMs: limitMs }),
      }),
      maxOutputBytes,
      wantedFiles: (spec.artifacts ?? []).map(({ path }) => path),
    });
    if (timeout.aborted) return failed(`ran longer than ${limitMs} ms and was stopped`, elapsed());
    if (context.signal.aborted) return failed('was stopped with the server', elapsed());
    return withFiles(judge(spec, ended, { durationMs: elapsed(), maxOutputBytes }), ended.left);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden' && error.status === null)
      return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    return failed(reasonOf(error), elapsed());
  }
}

/** A script on this server. */
export const execKind = registeredKind({
  key: 'exec',
  title: 'Script',
  needs: 'ALLOW_EXEC=true',
  testedAgainst: 'real service',
  example: {
    name: 'free space',
    script: 'df --output=pcent / | tail -1',
    test: { expr: 'results.exitCode == 0' },
  },
  schema: execSchema,
  takesValues: true,
  notRun: execNotRun,
  run: runExecCheck,
});
