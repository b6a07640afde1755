import type { TablePage, TableQuestion } from '../../contract/http/table-question.ts';
import type { ViewName, ViewRow } from '../../contract/http/table-views.ts';
import type { Loadable } from '../client/loadable.ts';
import { useQuery } from './use-query.ts';

interface ViewQuestion<Name extends ViewName> extends Partial<Omit<TableQuestion, 'view'>> {
  view: Name;
}

/** As many as are asked for at a time where all are wanted. */
export const AT_ONCE = 1000;

/**
 * A page of a settings view: at once from this device where it was kept, then from the server, and again when it
 * may have changed. Without a limit it is the whole of it. Null asks nothing.
 */
export function useTable<Name extends ViewName>(
  question: ViewQuestion<Name> | null,
): Loadable<TablePage<ViewRow<Name>>> {
  const asked =
    question === null
      ? null
      : {
          where: [],
          order: [],
          offset: 0,
          limit: AT_ONCE,
          ...(question.limit === undefined ? { isWhole: true } : {}),
          ...question,
        };
  // Which view it is decides which schema the rows were parsed with.
  return useQuery('table', asked) as Loadable<TablePage<ViewRow<Name>>>;
}
