import type { TablePage, TableQuestion, ViewName, ViewRow } from '../../contract/http/table-views.ts';
import type { Loadable } from '../client/data-client.ts';
import { useAnswer } from './use-answer.ts';

interface ViewQuestion<Name extends ViewName> extends Partial<Omit<TableQuestion, 'view'>> {
  view: Name;
}

/** As many as a list without paging shows. */
const LIST_LIMIT = 1000;

/**
 * A page of a settings view: at once from this device where it was kept, then from the server, and again when it
 * may have changed. Null asks nothing.
 */
export function useTable<Name extends ViewName>(
  question: ViewQuestion<Name> | null,
): Loadable<TablePage<ViewRow<Name>>> {
  const key = question === null ? null : JSON.stringify(question);
  return useAnswer<TablePage<ViewRow<Name>>>(key, (sync, listener) => {
    if (question === null) return Promise.resolve(() => {});
    const asked = { where: [], order: [], offset: 0, limit: LIST_LIMIT, ...question };
    // Rows were parsed with the view's own schema where they came in.
    return sync.subscribeTable(asked, listener as Parameters<typeof sync.subscribeTable>[1]);
  });
}

/** The JSON schema that a kind's specs are written against; undefined while there is none. */
export function useSpecSchema(file: string | null): unknown {
  const { kept } = useAnswer<unknown>(file, (sync, listener) =>
    file === null ? Promise.resolve(() => {}) : sync.subscribeSpecSchema(file, listener),
  );
  return kept?.value;
}
