/** What a run is told as: the job's details and the answer of Run now (schema §5.3, `scrape_summary`). */
import type { ScrapeSummary, TypeSummary } from '../specs/scraped.ts';
import type { RunStatus } from '../../../platform/jobs/job-history-query.ts';

const MAX_ERRORS = 100;
const MAX_ERROR_LENGTH = 1000;

interface ShownType {
  added: number;
  updated: number;
  unchanged: number;
  deleted?: number;
  change?: Record<string, number>;
  warnings?: string[];
}

export interface RunDetails {
  scrape_summary: Record<string, ShownType>;
  errors?: string[];
  /** What went wrong without loss: rules that failed, fields that are not kept. */
  warnings?: string[];
}

function shownType({ added, updated, unchanged, deleted, changes, warnings }: TypeSummary): ShownType {
  const change = Object.fromEntries(Object.entries(changes).filter(([, count]) => count > 0));
  return {
    added,
    updated,
    unchanged,
    ...(deleted > 0 ? { deleted } : {}),
    ...(Object.keys(change).length > 0 ? { change } : {}),
    ...(warnings.length > 0 ? { warnings: warnings.slice(0, MAX_ERRORS) } : {}),
  };
}

export interface RunOutcome {
  summary: ScrapeSummary;
  errors: readonly string[];
  warnings: readonly string[];
}

/** Bounded, and without the secrets of the run. */
export function detailsOf(outcome: RunOutcome, clean: (text: string) => string): RunDetails {
  const texts = (list: readonly string[]) =>
    [...new Set(list.map((text) => clean(text).replaceAll('\u0000', '').slice(0, MAX_ERROR_LENGTH)))].slice(
      0,
      MAX_ERRORS,
    );
  const errors = texts(outcome.errors);
  const warnings = texts(outcome.warnings);
  return {
    scrape_summary: Object.fromEntries(
      Object.entries(outcome.summary).map(([type, summary]) => [
        type,
        shownType({ ...summary, warnings: texts(summary.warnings) }),
      ]),
    ),
    ...(errors.length > 0 ? { errors } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const sizeOf = ({ added, updated, unchanged, deleted, changes }: TypeSummary) =>
  added + updated + unchanged + deleted + changes.saved + changes.deduplicated;

/** How the run went: with errors it is a warning where something came in all the same, else a failure. */
export function outcomeOf({ summary, errors }: RunOutcome): { status: RunStatus; successCount: number } {
  const successCount = Object.values(summary).reduce((sum, type) => sum + sizeOf(type), 0);
  if (errors.length === 0) return { status: 'SUCCESS', successCount };
  return { status: successCount > 0 ? 'WARNING' : 'FAILED', successCount };
}
