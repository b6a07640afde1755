/** Everything that a list shows windows of, for who chooses all of it; null when this device can't tell now. */
import type { FoundItem } from '../../contract/actions/compute-actions.ts';
import type { CatalogQuery } from '../../contract/catalog-view.ts';
import type { CollectionName, ReplicatedRow } from '../../contract/collections.ts';
import type { TableCondition, TablePage } from '../../contract/http/table-question.ts';
import type { ViewName, ViewRow } from '../../contract/http/table-views.ts';
import type { LiveQuestion } from '../../contract/live-query.ts';
import { dataClient } from '../client/data-client.ts';
import { askOnce } from './ask-once.ts';
import { AT_ONCE } from './use-table.ts';

/** Whatever stands there as text. */
export const textOf = (row: ReplicatedRow, field: string): string => {
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'string' ? value : '';
};

/** Rows that pass, with their ids and these columns. */
export async function findAllRows(
  question: Omit<LiveQuestion, 'window'> & { collection: CollectionName },
  fields: readonly string[],
): Promise<readonly ReplicatedRow[] | null> {
  const asked = { question: { ...question, window: { start: 0, end: 0 } }, fields: [...fields] };
  const answer = await dataClient().workers.compute.act('find-rows', asked);
  return answer.ok ? answer.value : null;
}

/** Items of the catalog that pass. */
export async function findAllItems(query: CatalogQuery): Promise<readonly FoundItem[] | null> {
  const answer = await dataClient().workers.compute.act('find-items', { query });
  return answer.ok ? answer.value : null;
}

/** Rows of a view that the server pages, as it has them now: what a choice is made of is not kept here. */
export async function findAllOfTable<Name extends ViewName>(
  view: Name,
  where: readonly TableCondition[] = [],
): Promise<readonly ViewRow<Name>[] | null> {
  const question = { view, where: [...where], order: [], offset: 0, limit: AT_ONCE, isWhole: true };
  const asking = { client: dataClient(), signal: new AbortController().signal };
  // Which view it is decides which schema the rows were parsed with.
  const page = (await askOnce('table', question, asking)) as TablePage<ViewRow<Name>> | null;
  return page?.rows ?? null;
}
