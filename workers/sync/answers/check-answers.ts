/** The answers of the check drawer: history, overview, spec and relations (contract §4). */
import { z } from 'zod';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import {
  canaryDetailSchema,
  CHECK_DETAIL_SELECT,
  CHECK_STATUS_COLUMNS,
  checkDetailSchema,
  checkStatusSchema,
  graphSchema,
  type CanaryDetail,
  type CheckDetail,
} from '../../../src/contract/http/canary.ts';
import type { GraphView, HistoryEntry, HistoryPage, HistoryQuery } from '../../../src/contract/worker.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import { graphOf } from '../../../src/domain/check/graph.ts';
import { matchesHistory } from '../../../src/domain/check/history-filter.ts';
import { rangeMinutes, type TimeRange } from '../../../src/domain/time/ranges.ts';
import type { RelatedItem } from '../api.ts';
import type { DataApi, PageQuestion } from '../network/data-api.ts';
import type { HttpClient } from '../network/http-client.ts';
import { createRowParser } from '../pull/row-parser.ts';
import type { StatusesKeeper } from '../pull/statuses-keeper.ts';
import { documentSource } from './document-source.ts';
import type { AnswerSource, DocumentShelf } from './kept-answers.ts';

/** Points of the overview chart (spec 1 §2). */
const GRAPH_POINTS = 300;

export interface AnswerParts {
  api: DataApi;
  http: HttpClient;
  shelf: DocumentShelf;
  statuses: StatusesKeeper;
  serverNow: () => number;
  /** When everything kept here was last known to be complete. */
  asOfMs: () => number | null;
  report: (error: unknown) => void;
}

function entryOf({ time, status, duration, message, error }: CheckStatus): HistoryEntry {
  return { time, status, duration, message, error };
}

function rangeStart(range: TimeRange, nowMs: number): number {
  return nowMs - rangeMinutes(range) * 60_000;
}

/** Runs of a check are as old as their own reading, whatever else was read since. */
function knownUntilMs({ asOfMs }: AnswerParts, readAtMs: number | null): number | null {
  const times = [asOfMs(), readAtMs].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

export function historySource(parts: AnswerParts, query: HistoryQuery): AnswerSource<HistoryPage> {
  const { api, statuses, serverNow } = parts;
  const parse = createRowParser('check_statuses', checkStatusSchema, parts.report);
  const offset = query.page * query.pageSize;
  return {
    async fromDevice() {
      const { runs, fromMs, readAtMs } = await statuses.runs(query.checkId);
      if (fromMs === null) return null;
      const cutoffMs = rangeStart(query.range, serverNow());
      const found = runs
        .filter((run) => Date.parse(run.time) > cutoffMs && matchesHistory(run, query.status, query.minMs))
        .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time));
      return {
        value: { entries: found.slice(offset, offset + query.pageSize).map(entryOf), total: found.length },
        asOfMs: knownUntilMs(parts, readAtMs) ?? fromMs,
        source: 'device',
        isPartial: cutoffMs < fromMs,
      };
    },
    async fromServer(signal) {
      const asOfMs = serverNow();
      const where: NonNullable<PageQuestion['where']>[number][] = [
        { column: 'check_id', operator: 'eq', value: query.checkId },
        { column: 'time', operator: 'gt', value: new Date(rangeStart(query.range, asOfMs)).toISOString() },
      ];
      if (query.status !== 'All')
        where.push({ column: 'status', operator: 'eq', value: String(query.status === 'Healthy') });
      if (query.minMs !== null)
        where.push({ column: 'duration', operator: 'gte', value: String(query.minMs) });
      const page = await api.page({
        table: 'check_statuses',
        select: CHECK_STATUS_COLUMNS,
        where,
        order: [{ column: 'time', isDescending: true }],
        limit: query.pageSize,
        offset,
        wantsTotal: true,
        signal,
      });
      const entries = parse(page.rows).map(entryOf);
      return {
        value: { entries, total: page.total ?? offset + entries.length },
        asOfMs,
        source: 'server',
        isPartial: false,
      };
    },
  };
}

/** `start` as the contract's graph takes it: months and years only as an instant. */
function graphStart(range: TimeRange, nowMs: number): string {
  return /mo$|y$/.test(range) ? new Date(rangeStart(range, nowMs)).toISOString() : range;
}

const graphViewSchema = graphSchema.transform(({ status, latency, uptime }): GraphView => ({
  points: status,
  latency,
  uptime,
}));

export function graphSource(parts: AnswerParts, checkId: string, range: TimeRange): AnswerSource<GraphView> {
  const { http, shelf, statuses, serverNow } = parts;
  const kept = documentSource<GraphView>({
    id: `graph:${checkId}:${range}`,
    schema: graphViewSchema,
    shelf,
    serverNow,
    fetch: (signal) => {
      const start = graphStart(range, serverNow());
      const search = new URLSearchParams({ check: checkId, count: String(GRAPH_POINTS), start });
      return http.json({ path: `/api/canary/api/graph?${search.toString()}`, signal });
    },
  });
  return {
    fromServer: (signal) => kept.fromServer(signal),
    async fromDevice() {
      const { runs, fromMs, readAtMs } = await statuses.runs(checkId);
      const untilMs = knownUntilMs(parts, readAtMs) ?? serverNow();
      const startMs = rangeStart(range, serverNow());
      const isPartial = fromMs === null || startMs < fromMs;
      const document = isPartial ? await kept.fromDevice() : null;
      if (document !== null || fromMs === null) return document;
      const value = graphOf(runs, { fromMs: startMs, untilMs: serverNow(), maxPoints: GRAPH_POINTS });
      return { value, asOfMs: untilMs, source: 'device', isPartial };
    },
  };
}

/** One row by id; none is `not_found`. */
async function rowById(api: DataApi, question: PageQuestion & { id: string }): Promise<unknown> {
  const { id, ...rest } = question;
  const { rows } = await api.page({ ...rest, where: [{ column: 'id', operator: 'eq', value: id }] });
  const [row] = rows;
  if (row === undefined) throw new AppError('not_found', ERROR_TEXTS.not_found, { status: 404 });
  return row;
}

export function checkDetailSource(parts: AnswerParts, checkId: string): AnswerSource<CheckDetail> {
  return documentSource({
    id: `check:${checkId}`,
    schema: checkDetailSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      rowById(parts.api, { id: checkId, table: 'checks', select: CHECK_DETAIL_SELECT, signal }),
  });
}

export function canarySource(parts: AnswerParts, canaryId: string): AnswerSource<CanaryDetail> {
  return documentSource({
    id: `canary:${canaryId}`,
    schema: canaryDetailSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      rowById(parts.api, {
        id: canaryId,
        table: 'canaries',
        select: 'id,source,spec,name,namespace,labels',
        signal,
      }),
  });
}

const orNull = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const relatedSchema = z
  .object({
    id: z.string(),
    name: orNull,
    type: orNull,
    health: orNull,
    status: orNull,
    description: orNull,
    updated_at: orNull,
  })
  .transform(({ updated_at: updatedAt, name, ...rest }): RelatedItem => ({
    ...rest,
    name: name ?? '',
    updatedAt,
  }));

export function relatedSource(
  parts: AnswerParts,
  kind: 'config' | 'component',
  id: string,
): AnswerSource<RelatedItem> {
  return documentSource({
    id: `${kind}:${id}`,
    schema: relatedSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      rowById(parts.api, {
        id,
        table: kind === 'config' ? 'configs' : 'components',
        select: 'id,name,type,health,status,description,updated_at',
        signal,
      }),
  });
}
