/** Runs the trivy command over a cluster, where commands are allowed. Its arguments never pass through a shell's eyes. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../../../src/contract/errors.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { runScript } from '../../../../platform/exec/run-script.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

type Texts = readonly (string | number | boolean)[] | undefined;

export interface TrivySpec {
  compliance?: Texts;
  ignoredLicenses?: Texts;
  ignoreUnfixed?: boolean | undefined;
  licenseFull?: boolean | undefined;
  severity?: Texts;
  vulnType?: Texts;
  scanners?: Texts;
  timeout?: string | undefined;
  kubernetes?:
    | {
        components?: Texts;
        context?: string | undefined;
        namespace?: string | undefined;
        kubeconfig?: string | undefined;
      }
    | undefined;
}

const DEFAULT_LIMIT_MS = 5 * 60_000;
const MAX_LIMIT_MS = 60 * 60_000;
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
/** What newer versions call what specifications still say. */
const RENAMED = lookupTable<string>({ config: 'misconfig' });

/** The command's arguments for a specification. */
export function trivyArguments(
  spec: TrivySpec,
  files: { cacheDir: string; kubeconfig: string | null },
): string[] {
  const list = (name: string, values: Texts, read = (value: string) => value): string[] => {
    const texts = (values ?? []).map((value) => read(String(value)));
    // A value must not pass for an option.
    if (texts.some((text) => text.startsWith('-')))
      throw new AppError('invalid', `${name.slice(2)}: a value must not begin with "-"`);
    return texts.length === 0 ? [] : [name, texts.join(',')];
  };
  const of = (value: string | undefined): Texts => (value === undefined || value === '' ? [] : [value]);
  return [
    'kubernetes',
    '--report',
    'all',
    '--format',
    'json',
    '--quiet',
    '--no-progress',
    '--cache-dir',
    files.cacheDir,
    ...list('--severity', spec.severity, (value) => value.toUpperCase()),
    ...list('--scanners', spec.scanners, (value) => RENAMED[value] ?? value),
    ...list('--vuln-type', spec.vulnType),
    ...list('--ignored-licenses', spec.ignoredLicenses),
    ...list('--compliance', spec.compliance),
    ...list('--components', spec.kubernetes?.components),
    ...list('--include-namespaces', of(spec.kubernetes?.namespace)),
    ...list('--timeout', of(spec.timeout)),
    ...(spec.ignoreUnfixed === true ? ['--ignore-unfixed'] : []),
    ...(spec.licenseFull === true ? ['--license-full'] : []),
    ...(files.kubeconfig === null ? [] : ['--kubeconfig', files.kubeconfig]),
    ...list('--context', of(spec.kubernetes?.context)).slice(1),
  ];
}

/** The report as text. `binary` is the command's name or path. */
export async function runTrivy(
  spec: TrivySpec,
  binary: string,
  context: Pick<ScrapeContext, 'signal' | 'trust'>,
): Promise<string> {
  const limitMs = spec.timeout === undefined ? DEFAULT_LIMIT_MS : parseDuration(spec.timeout);
  if (limitMs === null)
    throw new AppError('invalid', `timeout: "${spec.timeout}" is not a duration such as 20m`);
  const kubeconfig = spec.kubernetes?.kubeconfig ?? null;
  if (kubeconfig !== null && context.trust !== 'operator')
    throw new AppError(
      'forbidden',
      "kubernetes.kubeconfig: a file of the server is for operators' scrapers only",
    );
  const words = trivyArguments(spec, { cacheDir: join(tmpdir(), 'holdfast-trivy-cache'), kubeconfig });
  const env: Record<string, string> = { TRIVY_COMMAND: binary };
  for (const [index, word] of words.entries()) env[`WORD_${index}`] = word;
  const script = `exec "$TRIVY_COMMAND" ${words.map((_word, index) => `"$WORD_${index}"`).join(' ')}`;
  const timeout = AbortSignal.timeout(Math.min(limitMs, MAX_LIMIT_MS));
  const signal = AbortSignal.any([context.signal, timeout]);
  const ended = await runScript({ script, env, signal, maxOutputBytes: MAX_OUTPUT_BYTES });
  if (context.signal.aborted) throw new AppError('cancelled', 'trivy: was stopped');
  if (timeout.aborted) throw new AppError('timeout', `trivy: ran longer than ${limitMs} ms and was stopped`);
  if (ended.exitCode === 127)
    throw new AppError(
      'invalid',
      'trivy: the command is not installed here; install it, or give report or url',
    );
  if (ended.isCut)
    throw new AppError('invalid', `trivy: its report is larger than ${MAX_OUTPUT_BYTES} bytes`);
  if (ended.exitCode !== 0)
    throw new AppError(
      'invalid',
      `trivy: ended with exit code ${ended.exitCode ?? 'none'}: ${ended.stderr.slice(-300)}`,
    );
  return ended.stdout;
}
