import { useState } from 'react';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import classes from './team-members.module.css';
import { personName, usePeople } from './use-members.ts';

const words = messages.members;

interface AddMembersProps {
  teamId: string;
  memberIds: readonly string[];
  onClose: () => void;
}

/** 'Add users': several at once (spec 2 §2). */
export function AddMembers({ teamId, memberIds, onClose }: AddMembersProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const { isBusy, run } = useAdminister();
  const [search, setSearch] = useState('');
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const { rows, total } = usePeople([{ field: 'id', op: 'not-in', values: [...memberIds] }], search);
  const toggle = (id: string, name: string) => {
    const next = new Map(picked);
    if (!next.delete(id)) next.set(id, name);
    setPicked(next);
  };
  const add = async () => {
    const answer = await run({ name: 'add_team_members', teamId, personIds: [...picked.keys()] });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(words.added([...picked.values()]));
    onClose();
  };
  return (
    <Modal title={words.add} size="very-small" onClose={onClose}>
      <div className={classes.dialog}>
        <SearchBox
          label={words.search}
          placeholder={words.search}
          clearLabel={words.clearSearch}
          seed=""
          seedId={0}
          onChange={setSearch}
        />
        <ul className={classes.choices}>
          {rows.map(({ id, row }) => (
            <li key={id}>
              <label className={classes.choice}>
                <input
                  type="checkbox"
                  checked={picked.has(id)}
                  onChange={() => toggle(id, personName(row, words.unknown))}
                />
                {personName(row, words.unknown)}
              </label>
            </li>
          ))}
        </ul>
        {rows.length === 0 && <p role="status">{words.noMatch}</p>}
        {total > rows.length && <p className={classes.hint}>{words.more}</p>}
        {problem !== null && <p role="alert">{problem}</p>}
        {!isReachable && <p role="status">{ui.needsServer}</p>}
        <div className={classes.actions}>
          <Button look="quiet" onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button
            look="primary"
            disabled={!isReachable || isBusy || picked.size === 0}
            onClick={() => void add()}
          >
            {isBusy ? words.adding : words.add}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
