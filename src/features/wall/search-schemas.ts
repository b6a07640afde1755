/** What links to walls may say. */
import { searchSchema, text } from '../../ui/search/search-params.ts';
import { tableParams } from '../../ui/tables/table-state.ts';

/** `board`: that board alone, to look at it. */
export const wallSearch = searchSchema({ board: text });
/** `pair`: the code of a screen that is to be confirmed. */
export const wallsSearch = searchSchema({ ...tableParams, pair: text });
