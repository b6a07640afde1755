import { Age } from '../../ui/marks/Age.tsx';
import type { DataColumn } from '../../ui/tables/DataTable.tsx';

/** A column of moments, ordered on the page; `isServers` where the server orders them. */
export function timeColumn<Id extends string>(
  id: Id,
  header: string,
  { isServers = false } = {},
): DataColumn<{ [Key in Id]?: string | null | undefined }> {
  return {
    id,
    header,
    width: '108px',
    ...(isServers ? { isSortable: true } : { sortValue: (row) => row[id] ?? null }),
    isEmpty: (row) => (row[id] ?? null) === null,
    cell: (row) => <Age at={row[id] ?? null} />,
  };
}
