/** Feature flags (contract §3): what is switched on and off, where that is set, and by whom. */
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { FlagForm } from './FlagForm.tsx';
import { mergeFlags, type Flag } from './merge-flags.ts';
import { messages } from './messages.ts';

const words = messages.columns;
const BY_NAME = { sortBy: 'name', isDescending: false };

const COLUMNS: readonly DataColumn<Flag>[] = [
  { id: 'name', header: words.name, sortValue: ({ name }) => name, cell: ({ name }) => name },
  { id: 'description', header: words.description, cell: ({ description }) => description || ui.nothing },
  { id: 'value', header: words.value, sortValue: ({ value }) => value, cell: ({ value }) => value },
  { id: 'source', header: words.source, sortValue: ({ source }) => source, cell: ({ source }) => source },
  {
    id: 'created_by',
    header: words.createdBy,
    sortValue: ({ createdBy }) => createdBy,
    cell: ({ createdBy }) => createdBy ?? ui.nothing,
  },
  {
    id: 'created_at',
    header: words.createdAt,
    sortValue: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
  {
    id: 'updated_at',
    header: words.updatedAt,
    sortValue: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Age at={updatedAt} />,
  },
];

interface FlagsPageProps {
  reader: { id: string; roles: readonly string[] };
}

/** Changes need the server and the right to write properties. */
export function FlagsPage({ reader }: FlagsPageProps) {
  const canWrite = may(reader.roles, 'properties', 'write');
  const isReachable = useReachable();
  const toasts = useToasts();
  const { state, setState } = useTableState('feature-flags', BY_NAME);
  const effective = useTable({ view: 'properties' });
  const stored = useTable({ view: 'stored_properties' });
  const flags = useMemo(
    () => effective.kept && mergeFlags(effective.kept.value.rows, stored.kept?.value.rows ?? []),
    [effective, stored],
  );
  const [editing, setEditing] = useState<Flag | 'new' | null>(null);
  const press = (flag: Flag) => () => {
    if (flag.isLocal) toasts.error(messages.local);
    else if (canWrite) setEditing(flag);
    else toasts.error(messages.readOnly);
  };
  return (
    <TablePage
      title={messages.title}
      lead={flags === null ? '' : messages.total(flags.length)}
      actions={
        canWrite && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setEditing('new')}
          >
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </Button>
        )
      }
    >
      <ChoosableTable
        kind="flags"
        label={messages.table}
        columns={COLUMNS}
        rows={flags ?? undefined}
        rowId={({ name }) => name}
        state={state}
        defaultSort={BY_NAME}
        onState={setState}
        pressOf={press}
        kept={effective.kept}
        problem={effective.error === null ? null : messages.errorText(effective.error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHint}
      />
      {editing !== null && (
        <FlagForm
          flag={editing === 'new' ? null : editing}
          userId={reader.id}
          onClose={() => setEditing(null)}
        />
      )}
    </TablePage>
  );
}
