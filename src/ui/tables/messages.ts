/** What turns the pages of a list. */
export const messages = {
  rowsPerPage: 'Rows per page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  newer: 'Newer',
  older: 'Older',
  page: (from: number, to: number, total: number) => `${from}–${to} of ${total}`,
} as const;
