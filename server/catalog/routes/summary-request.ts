/** What a caller of the catalog summary may ask, and what it means (contract §6.6, schema §5.4). */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { parseMatchList } from '../../../src/domain/match-list.ts';
import { COST_COLUMNS } from '../search/summary-query.ts';
import type { CatalogSummary, CostWindow } from '../search/summary-query.ts';
import { durationMs } from '../../platform/http/time-window.ts';

const MAX_TEXT = 10_000;
/** Group columns; more make a row for nearly every item. */
const MAX_GROUPS = 10;
const MAX_LABELS = 100;

const key = z.string().min(1).max(256);
const since = z
  .object({ since: z.string().max(64).nullish() })
  .nullish()
  .transform((value) => value?.since ?? '');
const list = z
  .string()
  .max(MAX_TEXT)
  .nullish()
  .transform((value) => value ?? '');

export const catalogSummarySchema = z
  .object({
    groupBy: z.array(key).max(MAX_GROUPS).nullish(),
    tags: z.array(key).max(MAX_GROUPS).nullish(),
    changes: since,
    analysis: since,
    cost: z.enum(['', ...(Object.keys(COST_COLUMNS) as CostWindow[])]).nullish(),
    deleted: z.boolean().nullish(),
    filter: z
      .record(key, z.string().max(MAX_TEXT))
      .refine((value) => Object.keys(value).length <= MAX_LABELS, `at most ${MAX_LABELS} labels`)
      .nullish(),
    status: list,
    health: list,
  })
  .nullish();

function moment(field: string, text: string, nowMs: number): Date | null {
  if (text === '') return null;
  const backMs = durationMs(text);
  if (backMs === null) throw new AppError('invalid', `${field}.since: "${text}" is no duration such as 7d`);
  const moment = new Date(nowMs - backMs);
  if (Number.isNaN(moment.getTime())) throw new AppError('invalid', `${field}.since: too long ago`);
  return moment;
}

/** The summary that a request describes; the default group is the type. */
export function catalogSummary(
  request: z.output<typeof catalogSummarySchema>,
  nowMs: number,
): CatalogSummary {
  const groups = [...new Set([...(request?.groupBy ?? []), ...(request?.tags ?? [])])];
  const cost = request?.cost ?? '';
  return {
    groupBy: groups.length === 0 ? ['type'] : groups,
    changesSince: moment('changes', request?.changes ?? '', nowMs),
    findingsSince: moment('analysis', request?.analysis ?? '', nowMs),
    cost: cost === '' ? null : cost,
    isDeletedToo: request?.deleted ?? false,
    status: parseMatchList(request?.status ?? ''),
    health: parseMatchList(request?.health ?? ''),
    labels: new Map(
      Object.entries(request?.filter ?? {}).map(([label, text]) => [label, parseMatchList(text)]),
    ),
  };
}
