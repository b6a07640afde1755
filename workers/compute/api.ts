/**
 * The compute worker's door: the in-memory index over the local store, and everything heavy that is asked of
 * it. It reads the store and hears of changes; it never writes and never talks to the network.
 */
import type { ChangesQuestion } from '../../src/domain/catalog/changes-search.ts';
import type { CatalogPatch, CatalogQuery } from '../../src/contract/catalog-view.ts';
import type { InsightPatch, InsightQuery } from '../../src/contract/insight-view.ts';
import type { LivePatch, LiveQuestion } from '../../src/contract/live-query.ts';
import type { WrittenDocument } from '../../src/contract/written-document.ts';
import type { RelationsPatch, RelationsQuestion } from '../../src/contract/relations.ts';
import type { UnreadNews } from '../../src/domain/incident/unread.ts';
import type { CheckView, HealthPatch, HealthQuery, RowWindow } from '../../src/contract/worker.ts';

export type Stop = () => void;

/** A standing question. Each change to it is answered through the listener given at the start. */
interface ViewHandle<Query> {
  setQuery(query: Query): Promise<void>;
  setWindow(window: RowWindow): Promise<void>;
  close(): Promise<void>;
}
type HealthViewHandle = ViewHandle<HealthQuery>;
export type CatalogViewHandle = ViewHandle<CatalogQuery>;
export type InsightViewHandle = ViewHandle<InsightQuery>;

/** A standing live query; `setQuestion` replaces it, the listener goes on. */
export interface LiveQueryHandle {
  setQuestion(question: LiveQuestion): Promise<void>;
  close(): Promise<void>;
}

/** A standing question over changes. */
export interface ChangesHandle {
  setQuestion(question: ChangesQuestion): Promise<void>;
  close(): Promise<void>;
}

/** A standing question about relations; `setQuestion` replaces it, the listener goes on. */
export interface RelationsHandle {
  setQuestion(question: RelationsQuestion): Promise<void>;
  close(): Promise<void>;
}

/** A check that changed its state, newest first. */
export interface Transition {
  checkId: string;
  name: string;
  canaryName: string;
  state: 'healthy' | 'unhealthy';
  at: string;
}

export interface ComputeApi {
  /** Reads the store of that name; called again after sign-in as someone else. */
  attach(storeName: string): Promise<void>;
  /** Drops everything that was read (sign-out). */
  detach(): Promise<void>;
  /** The server's clock relative to this device's, for ages and overdue checks. */
  setClockOffset(offsetMs: number): Promise<void>;
  openHealthView(
    query: HealthQuery,
    window: RowWindow,
    listener: (patch: HealthPatch) => void,
  ): Promise<HealthViewHandle>;
  subscribeCheck(checkId: string, listener: (view: CheckView | null) => void): Promise<Stop>;
  /** Checks that changed state within the last `sinceMs`, newest first, at most `limit`. */
  subscribeTransitions(
    question: { sinceMs: number; limit: number },
    listener: (found: Transition[]) => void,
  ): Promise<Stop>;
  /** What is new for that person on incidents that concern them. */
  subscribeUnread(userId: string, listener: (news: UnreadNews) => void): Promise<Stop>;
  /** A page of the changes that this device has, with their items, that stays current. */
  openChanges(question: ChangesQuestion, listener: (patch: LivePatch) => void): Promise<ChangesHandle>;
  /** Writes JSON as people read it; a large one takes its time here and not on the page. */
  writeDocument(json: string, form: 'yaml' | 'json'): Promise<WrittenDocument>;
  /** Server rows ⊕ this device's pending commands, as a window of at most 100 rows that stays current. */
  openLiveQuery(question: LiveQuestion, listener: (patch: LivePatch) => void): Promise<LiveQueryHandle>;
  /** The catalog's front: all items of this device, filtered, ranked, grouped and summed up. */
  openCatalogView(
    query: CatalogQuery,
    window: RowWindow,
    listener: (patch: CatalogPatch) => void,
  ): Promise<CatalogViewHandle>;
  /** Open insights with the items that they are about. */
  openInsightView(
    query: InsightQuery,
    window: RowWindow,
    listener: (patch: InsightPatch) => void,
  ): Promise<InsightViewHandle>;
  /** What a config item is related to: a window of rows, or a picture that is laid out. */
  openRelations(
    question: RelationsQuestion,
    listener: (patch: RelationsPatch) => void,
  ): Promise<RelationsHandle>;
}
