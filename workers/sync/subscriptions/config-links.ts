/** Live links of a config item from one of the tables of links. */
import type { Id } from '../../../src/contract/ids.ts';
import type { DataApi, PageQuestion } from '../network/data-api.ts';

const MAX_LINKS = 500;

/** Rows as the table has them, unparsed. */
export async function configLinks(
  api: DataApi,
  { configId, ...question }: Pick<PageQuestion, 'table' | 'select' | 'signal'> & { configId: Id<'config'> },
): Promise<unknown[]> {
  const page = await api.page({
    ...question,
    where: [
      { column: 'config_id', operator: 'eq', value: configId },
      { column: 'deleted_at', operator: 'is', value: 'null' },
    ],
    limit: MAX_LINKS,
  });
  return page.rows;
}
