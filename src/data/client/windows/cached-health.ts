/**
 * A cached window of the health board as it is at another time than it was answered: what no run has confirmed
 * meanwhile is not passing (design §4 law 11).
 * Invariant: no row and no number says more of passing than the worker would say at that moment, of the same rows.
 */
import type { FirstWindow, HealthLater } from '../../../contract/first-window.ts';
import type { HealthFrame, HealthPatch, HealthRow } from '../../../contract/worker.ts';
import { areFiguresOld, figuresOfHour } from '../../../domain/check/figures.ts';
import { checkHealth } from '../../../domain/check/health.ts';
import type { CachedAnswer } from '../window-view-client.ts';

/** Of the last hour, which has passed; figures of longer ranges stay what they are. */
function withoutFigures(row: HealthRow): HealthRow {
  return row.kind === 'group' ? { ...row, fullyPassing: 0, notRun: row.total, latencyMs: null } : row;
}

function rowAt(row: HealthRow, nowMs: number, isOfHour: boolean): HealthRow {
  if (row.kind === 'group') return row;
  const { check } = row;
  const isOld = isOfHour && areFiguresOld(check, nowMs);
  return {
    ...row,
    check: isOld ? { ...check, ...figuresOfHour(check, nowMs) } : check,
    health: checkHealth(check, nowMs),
  };
}

function patchAt(
  patch: HealthPatch,
  { healthyUntilMs, whenOverdue }: HealthLater,
  nowMs: number,
): HealthPatch {
  if (nowMs <= healthyUntilMs || whenOverdue.frame === undefined || patch.frame === undefined) return patch;
  return { ...whenOverdue, frame: { ...whenOverdue.frame, facets: patch.frame.facets } };
}

/** `nowMs` is the server's clock; null where the window can't tell that moment. */
export function healthAt(
  { patch, later }: FirstWindow<HealthPatch>,
  nowMs: number,
): CachedAnswer<HealthFrame, HealthRow> | null {
  if (later === null) return null;
  const { frame, rows } = patchAt(patch, later, nowMs);
  if (frame?.isLoaded !== true || rows === undefined) return null;
  const hasOldFigures = nowMs >= later.figuresUntilMs;
  // Cells of a pivot add up the figures of checks that aren't here.
  if (hasOldFigures && frame.pivotColumns.length > 0) return null;
  const isOfHour = frame.summaryRange === '1h';
  const now = rows.rows.map((row) => rowAt(row, nowMs, isOfHour));
  return { frame, rows: hasOldFigures ? now.map(withoutFigures) : now };
}
