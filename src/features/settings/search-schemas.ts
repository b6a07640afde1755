/** What links to the settings' pages may say, beside the order and the page of their tables. */
import { flag, searchSchema, text } from '../../ui/search/search-params.ts';
import { tableParams } from '../../ui/tables/table-state.ts';

/** `id`: one agent, marked in the list. */
export const agentsSearch = searchSchema({ ...tableParams, id: text });
/** `add`: the form for a new one is open. */
export const resourcesSearch = searchSchema({ ...tableParams, add: flag });
/** `add`: what is being added. */
export const integrationsSearch = searchSchema({ ...tableParams, add: text });
/** `kind`: of check, in documents. */
export const addCheckSearch = searchSchema({ kind: text });
/** `tab`: the part of the resource that is shown. */
export const resourceSearch = searchSchema({ ...tableParams, tab: text });
