/** What the list says of itself: where its numbers come from, and what is on the server alone. */
import { useState } from 'react';
import type { OldConfigRow } from '../../../contract/http/catalog/catalog-rows.ts';
import type { TableCondition } from '../../../contract/http/table-question.ts';
import type { CatalogFrame } from '../../../contract/catalog-view.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { formatClock } from '../../../domain/time/format.ts';
import { unwanted, wanted, type TriState } from '../../../domain/tri-state.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { DataTable, type DataColumn } from '../../../ui/tables/DataTable.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import type { ServerChanges } from '../summary/use-server-changes.ts';
import classes from './list.module.css';
import { messages } from './messages.ts';
import { isListed, type CatalogState } from './url-state.ts';

/** As far back as deleted items are kept on a device (migration 0004). */
const KEPT_SINCE = 'now-7d';
const SHOWN = 100;
/** What a device keeps of the catalog at most (contract collections). */
const ITEM_CAP = 100_000;
const NEWEST: DefaultSort = { sortBy: 'deleted_at', isDescending: true };
const words = messages.serverOnly;

function listCondition(column: string, filter: TriState): TableCondition[] {
  const [yes, no] = [wanted(filter), unwanted(filter)];
  return [
    ...(yes.length > 0 ? [{ op: 'in' as const, column, values: yes }] : []),
    ...(no.length > 0 ? [{ op: 'not-in' as const, column, values: no }] : []),
  ];
}

/** The same question about items that were deleted too long ago to be here. */
function oldOnes(state: CatalogState): TableCondition[] {
  const search = state.search.trim();
  return [
    { op: 'before', column: 'deleted_at', moment: KEPT_SINCE },
    ...listCondition('type', state.types),
    ...listCondition('status', state.status),
    ...listCondition('health', state.health),
    ...(search === '' ? [] : [{ op: 'ilike' as const, column: 'name', value: `*${search}*` }]),
  ];
}

const COLUMNS: DataColumn<OldConfigRow>[] = [
  { id: 'name', header: messages.columns.name, cell: ({ name, id }) => name ?? id },
  { id: 'type', header: messages.columns.type, cell: ({ type }) => type ?? ui.nothing },
  {
    id: 'health',
    header: messages.columns.health,
    cell: ({ health, status }) => {
      const state = healthOfWord(health);
      return <HealthLabel state={state} text={status ?? messages.health[state]} />;
    },
  },
  {
    id: 'deleted_at',
    header: messages.columns.deleted_at,
    cell: (row) => <Age at={row.deleted_at ?? null} suffix=" ago" />,
    align: 'end',
  },
];
const ONE_PAGE: TableState = { sortBy: null, isDescending: false, pageIndex: 0, pageSize: SHOWN };

function OldItems({ state }: { state: CatalogState }) {
  const isReachable = useReachable();
  const [isOpen, setIsOpen] = useState(false);
  const { kept } = useTable({
    view: 'old_configs',
    where: oldOnes(state),
    order: [{ column: NEWEST.sortBy ?? '', isDescending: true }],
    limit: SHOWN,
  });
  if (kept === null) return isReachable ? null : <span>{words.offline}</span>;
  const { rows, total } = kept.value;
  if (total === 0) return null;
  return (
    <>
      <span>{words.deleted(total)}</span>
      <Button look="quiet" onClick={() => setIsOpen(true)}>
        {words.show}
      </Button>
      {isOpen && (
        <Modal title={words.title} size="large" onClose={() => setIsOpen(false)}>
          <CacheNote {...kept} />
          {total > rows.length && <p className={classes.note}>{words.first(rows.length, total)}</p>}
          <div className={classes.old}>
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={rows}
              rowId={({ id }) => id}
              state={ONE_PAGE}
              defaultSort={NEWEST}
              emptyHint={words.emptyHint}
              onState={() => undefined}
              hrefOf={({ id }) => links.config(id)}
            />
          </div>
        </Modal>
      )}
    </>
  );
}

function ChangesNote({ kept }: Pick<ServerChanges, 'kept'>) {
  const device = useDevice();
  if (kept === null) return <span>{messages.changesFrom.device}</span>;
  const clock = formatClock(kept.asOfMs, device.now());
  return <span>{messages.changesFrom[kept.source === 'server' ? 'server' : 'kept'](clock)}</span>;
}

interface CatalogFooterProps {
  frame: CatalogFrame;
  state: CatalogState;
  hideDeleted: boolean;
  changes: ServerChanges;
}

/** Offers to ask the server only where this device can't know. */
export function CatalogFooter({ frame, state, hideDeleted, changes }: CatalogFooterProps) {
  // Labels of items that are gone for long can't be asked for here.
  const canAsk = !hideDeleted && Object.keys(state.labels).length === 0;
  return (
    <footer className={classes.foot}>
      {!isListed(state) && <ChangesNote kept={changes.kept} />}
      {frame.totalCount >= ITEM_CAP && <span>{words.capped(ITEM_CAP)}</span>}
      {canAsk && <OldItems state={state} />}
    </footer>
  );
}
