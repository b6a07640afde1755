/**
 * Everything that a question leaves, for who chooses all of it: pages see windows of it, and of each row this is only what
 * a choice needs. Asked while the page shows the same question, so what it reads is in memory.
 */
import type { FoundItem } from '../../src/contract/actions/compute-actions.ts';
import type { CatalogPatch, CatalogQuery } from '../../src/contract/catalog-view.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { LivePatch, LiveQuestion } from '../../src/contract/live-query.ts';
import type { CatalogViews } from './catalog/catalog-views.ts';
import type { LiveQueries } from './live/live-queries.ts';

const ALL = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** What is not here yet is not none. */
function refuseUnread(frame: { isLoaded: boolean } | undefined): void {
  if (frame?.isLoaded !== true) throw new AppError('storage', ERROR_TEXTS.storage, { retryable: true });
}

/** Of each row the id and these columns. */
export function findRows(
  live: Pick<LiveQueries, 'open'>,
  question: LiveQuestion,
  fields: readonly string[],
): ReplicatedRow[] {
  const told: LivePatch[] = [];
  // The whole answer comes before the call returns.
  live.open({ ...question, window: ALL }, (patch) => void told.push(patch)).close();
  const [answer] = told;
  refuseUnread(answer?.frame);
  return (answer?.rows ?? []).map(({ id, row }) => ({
    ...Object.fromEntries(fields.map((field) => [field, Reflect.get(row, field)])),
    id,
  }));
}

/** Items alone. */
export function findItems(catalog: Pick<CatalogViews, 'openCatalog'>, query: CatalogQuery): FoundItem[] {
  const told: CatalogPatch[] = [];
  const flat = { ...query, groupBy: [], hasItems: true, wantsFacets: false };
  catalog.openCatalog({ query: flat, window: ALL }, (patch) => void told.push(patch)).close();
  const [answer] = told;
  refuseUnread(answer?.frame);
  return (answer?.rows?.rows ?? []).flatMap((row) =>
    row.kind === 'item' ? [{ id: row.key, name: row.name }] : [],
  );
}
