/** No live query answers more at once. */
export const PAGE_ROWS = 100;
