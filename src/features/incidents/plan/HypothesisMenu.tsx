import { IconArrowMoveDown, IconBan, IconDots, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { MenuItem, Popover } from '../../../ui/overlays/Popover.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import type { RecordOf } from '../use-records.ts';
import { messages } from './messages.ts';
import { MoveDialog } from './MoveDialog.tsx';

const words = messages;

interface HypothesisMenuProps {
  row: RecordOf<'hypothesis'>;
  /** What it can't stand below: itself and what hangs on it. */
  family: ReadonlySet<string>;
}

/** Disprove or Delete (spec 3 §2): what was wrong is worth knowing. */
function DeleteDialog(props: { row: RecordOf<'hypothesis'>; onDisprove: () => void; onClose: () => void }) {
  const { row, onDisprove, onClose } = props;
  const { incidentId, send } = useIncident();
  return (
    <Modal title={words.delete} size="very-small" onClose={onClose}>
      <div className={classes.dialog}>
        <p className={classes.body}>{row.title}</p>
        <p>{words.deleteQuestion}</p>
        <div className={classes.dialogActions}>
          <Button look="quiet" data-autofocus="" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            onClick={() => {
              onDisprove();
              onClose();
            }}
          >
            {words.disprove}
          </Button>
          <Button
            look="primary"
            onClick={() => {
              void send({ name: 'delete_hypothesis', args: { id: row.id, incidentId } });
              onClose();
            }}
          >
            {words.deleteConfirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** What else can be done with a hypothesis. The root stays where it is, and stays. */
export function HypothesisMenu({ row, family }: HypothesisMenuProps) {
  const { incidentId, send } = useIncident();
  const [asked, setAsked] = useState<'move' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const disprove = () =>
    void send({
      name: 'edit_hypothesis',
      args: { id: row.id, incidentId, changes: { status: 'disproven' } },
    });
  const isRoot = row.type === 'root';
  if (isRoot && row.status === 'disproven') return null;
  return (
    <>
      <Popover
        kind="menu"
        label={words.menu(row.title)}
        trigger={(props) => (
          <IconButton {...props} label={words.menu(row.title)}>
            <IconDots size={16} aria-hidden />
          </IconButton>
        )}
      >
        {(closeMenu) => {
          const after = (act: () => void) => () => {
            closeMenu();
            act();
          };
          return (
            <>
              {row.status !== 'disproven' && (
                <MenuItem icon={<IconBan size={16} />} onSelect={after(disprove)}>
                  {words.disprove}
                </MenuItem>
              )}
              {!isRoot && (
                <>
                  <MenuItem icon={<IconArrowMoveDown size={16} />} onSelect={after(() => setAsked('move'))}>
                    {words.move}
                  </MenuItem>
                  <MenuItem icon={<IconTrash size={16} />} onSelect={after(() => setAsked('delete'))}>
                    {words.delete}
                  </MenuItem>
                </>
              )}
            </>
          );
        }}
      </Popover>
      {asked === 'move' && <MoveDialog row={row} family={family} onClose={close} />}
      {asked === 'delete' && <DeleteDialog row={row} onDisprove={disprove} onClose={close} />}
    </>
  );
}
