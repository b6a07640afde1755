import { useState } from 'react';
import { useLiveRecords } from '../../../data/queries/use-live-records.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import type { RecordOf } from '../use-records.ts';
import { typeBelow } from './hypothesis-tree.ts';
import { messages } from './messages.ts';
import own from './plan.module.css';

const words = messages;

interface MoveDialogProps {
  row: RecordOf<'hypothesis'>;
  family: ReadonlySet<string>;
  onClose: () => void;
}

/** Another place in the tree; what it is follows from what it stands below then. */
export function MoveDialog({ row, family, onClose }: MoveDialogProps) {
  const { incidentId, send } = useIncident();
  const [search, setSearch] = useState('');
  const [start, setStart] = useState(0);
  const answer = useLiveRecords('hypothesis', {
    where: [
      { field: 'incident_id', op: 'eq', value: incidentId },
      // The chain ends with solutions.
      { field: 'type', op: 'in', values: ['root', 'factor'] },
      { field: 'id', op: 'not-in', values: [...family, row.parent_id ?? ''] },
    ],
    search,
    sort: [{ field: 'created_at', isDescending: false }],
    groupBy: null,
    window: { start, end: start + PAGE_ROWS },
  });
  const move = async (below: RecordOf<'hypothesis'>) => {
    const type = typeBelow(below.type);
    if (type === null) return;
    const changes = { parent_id: below.id, ...(type === row.type ? {} : { type }) };
    if (await send({ name: 'edit_hypothesis', args: { id: row.id, incidentId, changes } })) onClose();
  };
  return (
    <Modal title={words.moveTitle} size="very-small" onClose={onClose}>
      <div className={classes.dialog}>
        <p className={classes.body}>{row.title}</p>
        <SearchBox
          label={words.moveSearch}
          placeholder={words.moveSearch}
          clearLabel={words.clearSearch}
          seed=""
          seedId={0}
          onChange={(text) => {
            setSearch(text);
            setStart(0);
          }}
        />
        {answer.isLoaded && answer.total === 0 && <p className={classes.none}>{words.moveNone}</p>}
        <ul className={classes.picker}>
          {answer.rows.map((found) => (
            <li key={found.id}>
              <button type="button" className={classes.choice} onClick={() => void move(found.row)}>
                {found.row.title} <span className={own.type}>{words.types[found.row.type]}</span>
              </button>
            </li>
          ))}
        </ul>
        <Pager
          isOldestFirst
          start={answer.start}
          count={answer.rows.length}
          total={answer.total}
          pageSize={PAGE_ROWS}
          onStart={setStart}
        />
      </div>
    </Modal>
  );
}
