/**
 * Tries checks that nobody has kept yet (`POST /canary/try`): they run once, under the guards and with the rights that
 * they would have, and nothing is written. What secrets they use is masked in all that is answered.
 */
import type { TriedCheck, TriedStep } from '../../../src/contract/http/trying/try-check.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import { findConnectionByReference, withSealedSecrets } from '../../connections/connection-query.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import { reasonsNotRun } from '../documents/not-run.ts';
import type { Outcome } from '../results/outcome.ts';
import type { SharedContext } from './run-canary.ts';
import { runEntry } from './run-entry.ts';

export interface TryRequest {
  /** Of the canary that is being changed. */
  id?: string | null | undefined;
  name: string;
  namespace: string;
  labels: Record<string, string>;
  spec: Record<string, unknown>;
  author: Exclude<SpecAuthor, 'operator'>;
  signal: AbortSignal;
}

interface TryDeps {
  db: Database;
  sealer: Opener;
  expressions: Expressions;
  context: SharedContext;
  isDisabled: (kind: string) => boolean;
}

/** Whoever waits for the answer looks at it; no check takes longer than a minute by itself. */
const MAX_MS = 90_000;
/** A form holds a few; a document of hundreds is saved and not tried. */
const MAX_CHECKS = 20;
const MAX_DATA_CHARS = 20_000;
const MAX_MADE = 50;

function outcomeOf({ notRun, invalid, pass }: Outcome): TriedCheck['outcome'] {
  if (notRun !== null) return 'not-run';
  if (invalid) return 'invalid';
  return pass ? 'passed' : 'failed';
}

function triedOf(outcome: Outcome, steps: TriedStep[]): TriedCheck {
  const { entry, derived, durationMs, message, error, notRun, data } = outcome;
  const text = JSON.stringify(data, null, 2) ?? '';
  return {
    type: derived?.type ?? entry.type,
    name: derived?.name ?? entry.name,
    outcome: outcomeOf(outcome),
    duration_ms: Math.round(durationMs),
    message,
    error: notRun ?? error,
    steps,
    data: text.slice(0, MAX_DATA_CHARS),
    is_data_cut: text.length > MAX_DATA_CHARS,
  };
}

/** Throws `invalid` with the first field that can't be read. */
function entriesOf({ name, namespace, labels, spec }: TryRequest) {
  const title = name.trim() === '' ? 'new' : name;
  // Tried at once: when it would run is not asked.
  const document = {
    kind: 'Canary',
    metadata: { name: title, namespace, labels },
    spec: { ...spec, schedule: '@never' },
  };
  const read = readCanary(document, title);
  if (!read.ok) {
    const text = read.problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new AppError('invalid', text, { field: read.problems[0]?.field ?? 'spec' });
  }
  const { canary } = read;
  if (canary.entries.length > MAX_CHECKS)
    throw new AppError('invalid', `spec: at most ${MAX_CHECKS} checks are tried at a time`, {
      field: 'spec',
    });
  return canary;
}

/** The checks in their order, each followed by those that its transform made. */
export async function tryCanary(deps: TryDeps, request: TryRequest): Promise<TriedCheck[]> {
  const { db, sealer, expressions, context, isDisabled } = deps;
  const { author, id = null, spec } = request;
  const changed = { table: 'canaries', id: id ?? '', spec, mayGrant: author === 'granter' } as const;
  const opened = id === null ? spec : await withSealedSecrets(db, sealer, changed);
  const canary = { ...entriesOf({ ...request, spec: opened }), id: '' };
  const reasons = reasonsNotRun(canary.entries, { isExecAllowed: context.isExecAllowed, trust: 'user' });
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(MAX_MS)]);
  const findConnection = (reference: string) => findConnectionByReference(db, sealer, reference);
  const outputs: Record<string, unknown> = {};
  const tryOne = async (entry: CheckEntry): Promise<TriedCheck[]> => {
    const steps: TriedStep[] = [];
    const off = isDisabled(entry.type) ? `checks of kind ${entry.type} are switched off` : null;
    const [own, ...made] = await runEntry(
      {
        canary,
        entry,
        checkId: null,
        notRun: off ?? reasons.get(entry) ?? null,
        outputs,
        lastResult: () => Promise.resolve(null),
        onStep: (step) => steps.push(step),
      },
      { ...context, trust: 'user', author, findConnection, signal, expressions },
    );
    if (own === undefined) return [];
    outputs[entry.name] = own.data;
    return [triedOf(own, steps), ...made.slice(0, MAX_MADE).map((one) => triedOf(one, []))];
  };
  const tried: TriedCheck[] = [];
  // One after the other: a check may read what an earlier one found.
  for (const entry of canary.entries) tried.push(...(await tryOne(entry)));
  return tried;
}
