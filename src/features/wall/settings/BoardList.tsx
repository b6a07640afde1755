/** The boards that walls can show: each is looked at, changed or deleted; a new one begins with an overview. */
import { IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Board } from '../../../contract/http/walls.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass, IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { messages } from '../messages.ts';
import classes from './settings.module.css';

const words = messages.boards;

function DeleteBoard({ board, onClose }: { board: Board; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    const answer = await run({ name: 'delete_board', id: board.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(words.deleted(board.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.deleteTitle}
      question={words.deleteQuestion(board.name)}
      confirm={words.deleteConfirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

interface BoardListProps {
  /** Null while they are not known. */
  boards: readonly Board[] | null;
  mayWrite: boolean;
  isReachable: boolean;
}

/** A short line for each. */
export function BoardList({ boards, mayWrite, isReachable }: BoardListProps) {
  const device = useDevice();
  const [deleted, setDeleted] = useState<Board | null>(null);
  return (
    <section className={classes.boards} aria-label={words.title}>
      <h2>{words.title}</h2>
      <ul>
        {boards?.map((board) => (
          <li key={board.id}>
            <span>{board.name}</span>
            <AppLink
              href={links.wallBoard(board.id)}
              className={buttonClass('quiet', 'icon')}
              aria-label={words.show(board.name)}
              title={words.show(board.name)}
            >
              <IconEye size={16} />
            </AppLink>
            {mayWrite && (
              <>
                <IconButton
                  label={words.change(board.name)}
                  onClick={() => device.navigate(links.editBoard(board.id))}
                >
                  <IconPencil size={16} />
                </IconButton>
                <IconButton
                  label={words.remove(board.name)}
                  disabled={!isReachable}
                  onClick={() => setDeleted(board)}
                >
                  <IconTrash size={16} />
                </IconButton>
              </>
            )}
          </li>
        ))}
        {boards?.length === 0 && <li>{words.none}</li>}
      </ul>
      {mayWrite && (
        <Button onClick={() => device.navigate(links.newBoard(device.newId()))}>
          <IconPlus size={16} aria-hidden />
          {words.add}
        </Button>
      )}
      {deleted !== null && <DeleteBoard board={deleted} onClose={() => setDeleted(null)} />}
    </section>
  );
}
