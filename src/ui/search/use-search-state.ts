/**
 * What the address of the page says, and how it is changed: the router's typed search for parts that stand on several
 * routes. A part names the schema of what it reads, and leaves the rest of the link alone.
 */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchSchema } from './search-params.ts';

interface ChangeOptions {
  /** False where Back is to undo the change. */
  isReplacing?: boolean;
}

/** Changes what it names, or what follows from the link by then; undefined takes a parameter out. */
export type ChangeSearch<Search> = (
  change: Partial<Search> | ((before: Search) => Partial<Search>),
  options?: ChangeOptions,
) => void;

/** See the head of this file. */
export function useSearchState<Search extends object>(
  schema: SearchSchema<Search>,
): [Search, ChangeSearch<Search>] {
  const found = useSearch({ strict: false });
  const search = useMemo(() => schema.parse(found), [schema, found]);
  const navigate = useNavigate();
  const change = useCallback<ChangeSearch<Search>>(
    (part, { isReplacing = true } = {}) =>
      void navigate({
        to: '.',
        // Which route this is isn't known here; its own schema reads what is written.
        search: (before: object) =>
          ({ ...before, ...(typeof part === 'function' ? part(schema.parse(before)) : part) }) as never,
        replace: isReplacing,
      }),
    [navigate, schema],
  );
  return [search, change];
}
