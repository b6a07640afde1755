/** Who is in a team (spec 2 §2, contract §2.6): shown from this device, changed on the server at once. */
import { IconUserPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { PersonName } from '../../../ui/marks/Avatar.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../../ui/actions/ConfirmButton.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { TablePager } from '../../../ui/tables/TablePager.tsx';
import type { TableState } from '../../../ui/tables/table-state.ts';
import { AddMembers } from './AddMembers.tsx';
import { messages } from './messages.ts';
import classes from './team-members.module.css';
import { PAGE_ROWS, personName, useMemberIds, usePeople, type PersonRow } from './use-members.ts';

const words = messages.members;
const FIRST_PAGE: TableState = { sortBy: 'name', isDescending: false, pageIndex: 0, pageSize: PAGE_ROWS };

interface MemberProps {
  row: PersonRow;
  /** Null for who may not. */
  onRemove: ((name: string) => void) | null;
}

function Member({ row, onRemove }: MemberProps) {
  const name = personName(row, words.unknown);
  return (
    <li className={classes.member} data-member={row.id}>
      <PersonName name={name} image={typeof row.avatar === 'string' ? row.avatar : null} />
      {onRemove !== null && (
        <ConfirmButton
          label={words.remove(name)}
          icon={<IconX size={15} />}
          question={words.removeQuestion}
          confirm={words.removeConfirm}
          onConfirm={() => onRemove(name)}
        />
      )}
    </li>
  );
}

/** Changes need the server. */
export function TeamMembers({ teamId, mayWrite }: { teamId: string; mayWrite: boolean }) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const { isBusy, run } = useAdminister();
  const memberIds = useMemberIds(teamId);
  const [page, setPage] = useState(FIRST_PAGE);
  const inTeam = [{ field: 'id' as const, op: 'in' as const, values: [...(memberIds ?? [])] }];
  const start = page.pageIndex * page.pageSize;
  const { rows, total } = usePeople(inTeam, '', { start, end: start + page.pageSize });
  const [isAdding, setIsAdding] = useState(false);
  const remove = async (personId: string, name: string) => {
    const answer = await run({ name: 'remove_team_member', teamId, personId });
    if (answer.ok) toasts.success(words.removed(name));
    else toasts.error(messages.errorText(answer.error));
  };
  if (memberIds === null) return <SkeletonRows text={words.loading} />;
  const addButton = mayWrite && (
    <Button
      look="primary"
      disabled={!isReachable}
      title={isReachable ? undefined : ui.needsServer}
      onClick={() => setIsAdding(true)}
    >
      <IconUserPlus size={16} aria-hidden />
      {words.add}
    </Button>
  );
  return (
    <>
      {memberIds.length === 0 ? (
        <StateNote title={words.none} actions={addButton}>
          <p>{words.noneHint}</p>
        </StateNote>
      ) : (
        <>
          <div className={classes.bar}>{addButton}</div>
          <ul className={classes.members} aria-label={words.title}>
            {rows.map(({ id, row }) => (
              <Member
                key={id}
                row={row}
                onRemove={mayWrite && isReachable && !isBusy ? (name) => void remove(id, name) : null}
              />
            ))}
          </ul>
          {(total > PAGE_ROWS || start > 0) && (
            <TablePager total={total} state={page} onState={setPage} mostPerPage={PAGE_ROWS} />
          )}
        </>
      )}
      {isAdding && <AddMembers teamId={teamId} memberIds={memberIds} onClose={() => setIsAdding(false)} />}
    </>
  );
}
