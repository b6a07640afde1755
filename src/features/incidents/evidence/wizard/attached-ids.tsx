/** Which things the incident has for evidence already, so that nobody attaches one twice without meaning to. */
import { createContext, useContext, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useRecords } from '../../use-records.ts';

const Context = createContext<ReadonlySet<string>>(new Set());

/** What is inside finds them by the hook beside it. */
export function AttachedIds({ incidentId, children }: { incidentId: string; children: ReactNode }) {
  const { rows } = useRecords(incidentId, 'evidence', { isNewestFirst: true });
  const ids = useMemo(
    () =>
      new Set(
        rows.flatMap(({ row }) => {
          // A change or a finding also names its item, which isn't what was attached.
          const id =
            row.config_change_id ??
            row.config_analysis_id ??
            row.config_id ??
            row.component_id ??
            row.check_id;
          return id === null ? [] : [id];
        }),
      ),
    [rows],
  );
  return <Context value={ids}>{children}</Context>;
}

/** Ids of what is attached to this incident. */
export function useAttachedIds(): ReadonlySet<string> {
  return useContext(Context);
}
