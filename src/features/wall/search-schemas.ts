/** What links to walls may say. */
import { flag, searchSchema, text } from '../../ui/search/search-params.ts';
import { tableParams } from '../../ui/tables/table-state.ts';

/** `board`: that board alone, to look at it. */
export const wallSearch = searchSchema({ board: text });
/** `isNew`: one that nobody saved yet. */
export const boardSearch = searchSchema({ isNew: flag });
/** `pair`: the code of a screen that is to be confirmed. */
export const wallsSearch = searchSchema({ ...tableParams, pair: text });
