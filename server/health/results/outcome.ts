/** What a run of one check comes to, before it is stored. */
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import type { Figure } from './figure.ts';
import type { CheckEntry } from '../documents/canary-document.ts';

export interface Outcome {
  entry: CheckEntry;
  /** Set for a check that a transform made; stored as a check of its own. */
  derived: DerivedCheck | null;
  startedMs: number;
  pass: boolean;
  invalid: boolean;
  /** Why nothing was run; null for a result. */
  notRun: string | null;
  message: string | null;
  error: string | null;
  durationMs: number;
  /** What the run left for people to look at. */
  files?: readonly LeftFile[];
  /** What it gives to Prometheus. */
  figures?: readonly Figure[];
  /** Stored with the run; `last_result()` sees it. */
  detail: unknown;
  /** What other checks of the canary see under `outputs`. */
  data: Record<string, unknown>;
}

/** The outcome with what could not be done beside it, for whoever reads its message. */
export function withProblems(outcome: Outcome, problems: readonly string[]): Outcome {
  if (problems.length === 0) return outcome;
  const message = [outcome.message ?? '', ...problems].filter((text) => text !== '').join('\n');
  return { ...outcome, message };
}

/** The check that a transform's element describes (schema §4.4). */
export interface DerivedCheck {
  name: string;
  type: string;
  namespace: string | null;
  description: string | null;
  icon: string | null;
  labels: Record<string, string>;
  deletedAt: string | null;
}
