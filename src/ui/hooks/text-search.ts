/** What a list with a search field keeps in the link. */
export interface TextSearch {
  search?: string;
}

/** Reads it from the query; anything else is left out. */
export function parseTextSearch({ search }: Record<string, unknown>): TextSearch {
  return typeof search === 'string' && search !== '' ? { search } : {};
}
