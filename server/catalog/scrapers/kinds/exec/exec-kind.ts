/** exec: what a script prints, only where the server was started with ALLOW_EXEC=true. */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ExecEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { runScript } from '../../../../platform/exec/run-script.ts';
import type { ScrapeContext, ScrapeOutput, ScraperKind } from '../../specs/scraped.ts';
import { parseContent } from '../services/parse-content.ts';

const DEFAULT_LIMIT_MS = 60_000;
const MAX_LIMIT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

function limitOf(timeout: ExecEntry['timeout']): number {
  if (timeout === undefined) return DEFAULT_LIMIT_MS;
  const ms = typeof timeout === 'number' ? timeout * 1000 : parseDuration(timeout);
  if (ms === null || ms <= 0)
    throw new AppError('invalid', `timeout: "${timeout}" is not a duration such as 30s`);
  return Math.min(ms, MAX_LIMIT_MS);
}

async function scrape(entry: ExecEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  if (!context.mayExec)
    throw new AppError(
      'forbidden',
      'script: commands are switched off; start the server with ALLOW_EXEC=true',
    );
  for (const field of ['checkout', 'connections', 'artifacts', 'setup']) {
    if (field in entry) throw new AppError('invalid', `${field}: is not supported by this server`);
  }
  const env: Record<string, string> = {};
  for (const value of entry.env ?? []) env[value.name] = await context.secret(value);
  context.refuseScripts();
  const limitMs = limitOf(entry.timeout);
  const timeout = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([context.signal, timeout]);
  const ended = await runScript({ script: entry.script, env, signal, maxOutputBytes: MAX_OUTPUT_BYTES });
  if (context.signal.aborted) throw new AppError('cancelled', 'script: was stopped');
  if (timeout.aborted) throw new AppError('timeout', `script: ran longer than ${limitMs} ms and was stopped`);
  if (ended.isCut)
    throw new AppError('invalid', `script: wrote more than ${MAX_OUTPUT_BYTES} bytes and was stopped`);
  if (ended.exitCode !== 0) {
    const reason = ended.stderr.split('\n').at(-1) ?? '';
    throw new AppError(
      'invalid',
      `script: ended with exit code ${ended.exitCode ?? 'none'}${reason === '' ? '' : `: ${reason}`}`,
    );
  }
  const format = entry.format?.toLowerCase() ?? 'json';
  const output = { text: ended.stdout, format, source: 'script: its output' };
  const contents = await parseContent(output, context.signal);
  const documents = contents.map((content) => ({ content, format, source: 'script', known: {} }));
  return { documents, changes: [], analyses: [], errors: [], isComplete: true };
}

export const execKind: ScraperKind<ExecEntry> = { kind: 'exec', scrape };
