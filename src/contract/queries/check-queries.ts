/** Queries about one check or canary (contract §4). */
import { z } from 'zod';
import { STATUS_FILTERS } from '../../domain/check/history-filter.ts';
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';
import { canaryDetailSchema, graphSchema } from '../http/canary.ts';
import { idOf } from '../ids.ts';
import { cachedQuery } from './query-definition.ts';

const checkId = idOf('check');
const range = z.custom<TimeRange>((value) => typeof value === 'string' && isTimeRange(value));

const textOrNull = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const textOrEmpty = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const linked = z.object({ id: z.string(), name: textOrEmpty, icon: textOrNull, type: textOrNull });

const checkDetailSchema = z.object({
  id: z.string(),
  spec: z.unknown(),
  severity: textOrNull,
  canaries: z
    .object({ id: z.string(), name: z.string(), source: textOrNull, created_by: textOrNull })
    .nullish()
    .transform((value) => value ?? null),
  agents: z
    .object({ id: z.string(), name: z.string() })
    .nullish()
    .transform((value) => value ?? null),
  components: z
    .array(z.object({ components: linked.nullish() }))
    .nullish()
    .transform((rows) => (rows ?? []).flatMap((row) => (row.components ? [row.components] : []))),
  configs: z
    .array(z.object({ configs: linked.nullish() }))
    .nullish()
    .transform((rows) => (rows ?? []).flatMap((row) => (row.configs ? [row.configs] : []))),
});
export type CheckDetail = z.output<typeof checkDetailSchema>;

const historyEntrySchema = z.object({
  time: z.string(),
  status: z.boolean(),
  duration: z.number().nullable(),
  message: z.string().nullable(),
  error: z.string().nullable(),
});
export type HistoryEntry = z.output<typeof historyEntrySchema>;

const historyArgs = z.object({
  checkId,
  range,
  status: z.enum(STATUS_FILTERS),
  minMs: z.number().nullable(),
  page: z.number().int().min(0),
  pageSize: z.number().int().min(1).max(1000),
});

const graphViewSchema = graphSchema.transform(({ status, latency, uptime }) => ({
  points: status,
  latency,
  uptime,
}));
export type GraphView = z.output<typeof graphViewSchema>;

export const CHECK_QUERIES = {
  /** Spec and relations of a check. */
  'check-detail': cachedQuery({
    args: z.object({ checkId }),
    result: checkDetailSchema,
    cacheKey: (args) => `check:${args.checkId}`,
    dependsOn: (args) => [args],
  }),
  /** A page of the runs of a check. Offline it is made of the runs that the device has. */
  'check-history': cachedQuery({
    args: historyArgs,
    result: z.object({ entries: z.array(historyEntrySchema), total: z.number() }),
    dependsOn: (args) => [args],
  }),
  /** The health overview of a check. */
  'check-graph': cachedQuery({
    args: z.object({ checkId, range }),
    result: graphViewSchema,
    cacheKey: (args) => `graph:${args.checkId}:${args.range}`,
    dependsOn: (args) => [args],
  }),
  /** A canary's own document. */
  'canary-detail': cachedQuery({
    args: z.object({ canaryId: idOf('canary') }),
    result: canaryDetailSchema,
    cacheKey: ({ canaryId }) => `canary:${canaryId}`,
  }),
};
