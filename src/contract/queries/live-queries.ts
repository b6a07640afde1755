/**
 * All queries that the compute worker answers from this device's rows, by name; workers/compute/queries/<name>.ts does
 * it. Their names begin with `live-`: by that the app knows whom to ask.
 */
import * as z from 'zod/mini';
import type { UnreadNews } from '../../domain/incident/unread.ts';
import type { CatalogPatch } from '../catalog-view.ts';
import type { InsightPatch } from '../insight-view.ts';
import type { LivePatch } from '../live-query.ts';
import type { LogPatch } from '../logs/log-view.ts';
import type { RelationsPatch } from '../relations.ts';
import type {
  ComponentPicturePatch,
  ComponentReach,
  ComponentView,
  OutlinePatch,
  TopologyPatch,
} from '../topology-view.ts';
import { SILENCED_KINDS, type SilencedUntil, type SilencePreview } from './silence-view.ts';
import type { CheckView, HealthPatch } from '../worker.ts';
import {
  catalogQuerySchema,
  changesQuestionSchema,
  componentPictureSchema,
  healthQuerySchema,
  incidentsQuestionSchema,
  insightQuerySchema,
  liveQuestionSchema,
  logQuerySchema,
  outlineQuerySchema,
  relationsQuestionSchema,
  silenceScopeSchema,
  topologyQuerySchema,
  windowSchema,
} from './live-arguments.ts';
import { differencesQuery, valueQuery } from './query-definition.ts';

const window = windowSchema;

export const LIVE_QUERIES = {
  /** The health board. */
  'live-health': differencesQuery<HealthPatch>()(z.object({ query: healthQuerySchema, window })),
  /** A check with its health; null when it isn't (or no longer) there, undefined until it was looked for. */
  'live-check': valueQuery<CheckView | null | undefined>()(
    z.object({ checkId: z.string().brand<'check'>() }),
  ),
  /** What is new for that person on incidents that concern them. */
  'live-unread': valueQuery<UnreadNews>()(z.object({ userId: z.string().brand<'person'>() })),
  /** Rows of a collection with this device's unsent commands on top. */
  'live-rows': differencesQuery<LivePatch>()(liveQuestionSchema),
  /** A page of incidents with who responds to them. */
  'live-incidents': differencesQuery<LivePatch>()(incidentsQuestionSchema),
  /** A page of the changes that this device has, with their items. */
  'live-changes': differencesQuery<LivePatch>()(changesQuestionSchema),
  /** The catalog's front: all items of this device, filtered, ranked, grouped and summed up. */
  'live-catalog': differencesQuery<CatalogPatch>()(z.object({ query: catalogQuerySchema, window })),
  /** Open insights with the items that they are about. */
  'live-insights': differencesQuery<InsightPatch>()(z.object({ query: insightQuerySchema, window })),
  /** Lines of a log that is held, narrowed. */
  'live-logs': differencesQuery<LogPatch>()(z.object({ query: logQuerySchema, window })),
  /** What a config item is related to: a window of rows, or a picture that is laid out. */
  'live-relations': differencesQuery<RelationsPatch>()(relationsQuestionSchema),
  /** The topology's cards: components of this device, rolled up, filtered and in order. */
  'live-topology': differencesQuery<TopologyPatch>()(z.object({ query: topologyQuerySchema, window })),
  /** A component with what is above and under it. */
  'live-component': valueQuery<ComponentView>()(z.object({ componentId: z.string() })),
  /** Which components and items the counts of a component are about. */
  'live-component-reach': valueQuery<ComponentReach>()(z.object({ componentId: z.string() })),
  /** The topology as a tree of lines. */
  'live-topology-outline': differencesQuery<OutlinePatch>()(z.object({ query: outlineQuerySchema, window })),
  /** A component with what it consists of and stands under, laid out. */
  'live-component-picture': differencesQuery<ComponentPicturePatch>()(componentPictureSchema),
  /** What is silent now, of all things of a kind that this device has. */
  'live-silenced': valueQuery<SilencedUntil>()(z.object({ kind: z.enum(SILENCED_KINDS) })),
  /** What a silence would have hidden within the last seven days, and what it covers. */
  'live-silence-preview': valueQuery<SilencePreview>()(silenceScopeSchema),
} as const;
