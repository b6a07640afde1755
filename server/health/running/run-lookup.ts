/**
 * Runs checks whose output somebody else reads: the lookups of topologies (schema §6.1). They run as any check does,
 * under the same guards and with the rights of whoever wrote them; nothing is stored.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { Outcome } from '../results/outcome.ts';
import { reasonsNotRun } from '../documents/not-run.ts';
import type { SharedContext } from './run-canary.ts';
import { runEntry } from './run-entry.ts';

export interface LookupRequest {
  /** Whose lookup it is; scripts see it as their canary. */
  place: { id: string; name: string; namespace: string; labels: Record<string, string> };
  /** A canary specification; needs no schedule. */
  spec: unknown;
  trust: EgressTrust;
  author: SpecAuthor;
  signal: AbortSignal;
  /** What scripts see besides. */
  variables: Record<string, unknown>;
}

/** Of one check of the specification. */
export interface LookupAnswer {
  /** `http "nodes"` */
  check: string;
  /** What it displays, else what the service answered. */
  output: unknown;
  /** Why there is none. */
  error: string | null;
}

interface LookupDeps {
  db: Database;
  sealer: Opener;
  expressions: Expressions;
  context: SharedContext;
}

/** No lookup takes longer than this. */
const MAX_MS = 120_000;
/** Ten thousand components with their properties. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

function outputOf({ message, data }: Outcome): unknown {
  if (message !== null) return message;
  const { json, content, results } = data;
  return json ?? content ?? results ?? null;
}

function answerOf(outcome: Outcome): LookupAnswer {
  const { entry, pass, error, notRun } = outcome;
  const check = `${entry.type} "${entry.name}"`;
  if (notRun !== null) return { check, output: null, error: notRun };
  if (!pass) return { check, output: null, error: error ?? 'the check failed' };
  return { check, output: outputOf(outcome), error: null };
}

/** Runs the entries, in their order; throws for a specification that can't be read. */
export async function runLookup(deps: LookupDeps, request: LookupRequest): Promise<LookupAnswer[]> {
  const { place, trust, author, variables } = request;
  const { db, sealer, expressions, context } = deps;
  const { name, namespace, labels } = place;
  const spec =
    typeof request.spec === 'object' && request.spec !== null
      ? { ...request.spec, schedule: '@never' }
      : request.spec;
  const read = readCanary({ kind: 'Canary', metadata: { name, namespace, labels }, spec }, name);
  if (!read.ok)
    throw new AppError(
      'invalid',
      read.problems.map(({ field, message }) => `${field.replace(/^spec\.?/, '')}: ${message}`).join('; '),
    );
  const canary = { ...read.canary, id: place.id };
  const reasons = reasonsNotRun(canary.entries, { isExecAllowed: context.isExecAllowed, trust });
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(MAX_MS)]);
  const findConnection = (reference: string) => findConnectionByReference(db, sealer, reference);
  const runOne = async (entry: CheckEntry): Promise<LookupAnswer[]> => {
    const outcomes = await runEntry(
      {
        canary,
        entry,
        checkId: null,
        notRun: reasons.get(entry) ?? null,
        outputs: {},
        lastResult: () => Promise.resolve(null),
        variables,
      },
      { ...context, trust, author, findConnection, signal, expressions, maxOutputBytes: MAX_OUTPUT_BYTES },
    );
    const [own, ...made] = outcomes;
    // What a transform made of it stands for it.
    return (made.length > 0 ? made : own === undefined ? [] : [own]).map(answerOf);
  };
  const answers: LookupAnswer[] = [];
  for (const entry of canary.entries) answers.push(...(await runOne(entry)));
  return answers;
}
