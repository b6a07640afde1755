/** A panel over rows of this device: each page asks for its own, so no part of the screen holds more than one page. */
import type { ReactNode } from 'react';
import type { CollectionName } from '../../../contract/collections.ts';
import type { LiveQuestion, LiveRow } from '../../../contract/live-query.ts';
import type { CollectionRow } from '../../../contract/queries/live-row-schemas.ts';
import { PanelList, PanelRow } from './PanelList.tsx';
import { PANEL_ROWS } from './panels.ts';
import { usePanelRows } from './use-panel-rows.ts';

/** About. */
const ROW_PX = 44;

interface PanelRowsProps<Collection extends CollectionName> {
  label: string;
  empty: ReactNode;
  collection: Collection;
  where: LiveQuestion['where'];
  /** Descending by this column; else by name. */
  newestBy?: string;
  line: (row: LiveRow<CollectionRow<Collection>>) => ReactNode;
}

type Asked<Collection extends CollectionName> = Omit<PanelRowsProps<Collection>, 'label' | 'empty'>;

function Page<Collection extends CollectionName>({
  page,
  total,
  line,
  collection,
  where,
  ...order
}: Asked<Collection> & { page: number; total: number }) {
  const { rows, isLoaded } = usePanelRows(collection, where, { ...order, page });
  // As high as they will be, or the next page would come at once.
  const expected = Math.min(PANEL_ROWS, total - page * PANEL_ROWS);
  if (!isLoaded) return <li aria-hidden style={{ height: expected * ROW_PX }} />;
  return rows.map((row) => <PanelRow key={row.id}>{line(row)}</PanelRow>);
}

/** See the head of this file. */
export function PanelRows<Collection extends CollectionName>({
  label,
  empty,
  ...asked
}: PanelRowsProps<Collection>) {
  const { total, isLoaded } = usePanelRows(asked.collection, asked.where, { rows: 0 });
  return (
    <PanelList
      label={label}
      total={isLoaded ? total : null}
      empty={empty}
      page={(page) => <Page key={page} page={page} total={total} {...asked} />}
    />
  );
}
