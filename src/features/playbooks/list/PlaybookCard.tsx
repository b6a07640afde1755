import {
  IconBook,
  IconDotsVertical,
  IconHistory,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { CollectionRow } from '../../../contract/queries/live-row-schemas.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass, IconButton } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { MenuItem, MenuNote, Popover } from '../../../ui/overlays/Popover.tsx';
import { usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import classes from '../playbooks.module.css';
import { definitionOf } from '../definition.ts';

type Playbook = CollectionRow<'playbooks'>;

function Remove({ playbook, onClose }: { playbook: Playbook; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const title = playbookTitle(playbook);
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: 'playbooks', key: playbook.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.removed(title));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      question={messages.removeQuestion(title)}
      confirm={messages.remove}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

interface MenuProps {
  playbook: Playbook;
  onEdit: () => void;
  onRemove: () => void;
}

function Menu({ playbook, onEdit, onRemove }: MenuProps) {
  const isReachable = useReachable();
  return (
    <Popover
      kind="menu"
      label={messages.menu(playbookTitle(playbook))}
      trigger={(trigger) => (
        <IconButton {...trigger} label={messages.menu(playbookTitle(playbook))}>
          <IconDotsVertical size={16} />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuItem
            icon={<IconPencil size={16} aria-hidden />}
            onSelect={() => {
              close();
              onEdit();
            }}
          >
            {messages.edit}
          </MenuItem>
          {isReachable && isEditable(playbook) && (
            <MenuItem
              icon={<IconTrash size={16} aria-hidden />}
              onSelect={() => {
                close();
                onRemove();
              }}
            >
              {messages.remove}
            </MenuItem>
          )}
          {!isEditable(playbook) && <MenuNote>{messages.fromElsewhere}</MenuNote>}
          {!isReachable && isEditable(playbook) && <MenuNote>{ui.needsServer}</MenuNote>}
        </>
      )}
    </Popover>
  );
}

interface PlaybookCardProps {
  playbook: Playbook;
  mayWrite: boolean;
  /** Takes it into what is chosen; nothing where it can't be. */
  box: ReactNode;
  onEdit: () => void;
}

/** A playbook with what can be done with it. */
export function PlaybookCard({ playbook, mayWrite, box, onEdit }: PlaybookCardProps) {
  const { run } = usePlaybooks();
  const [isRemoving, setIsRemoving] = useState(false);
  const title = playbookTitle(playbook);
  return (
    <li className={classes.card} data-playbook={playbook.id}>
      <div className={classes.cardHead}>
        <span className={classes.icon}>
          <ThingIcon icon={playbook.icon} type={null} fallback={IconBook} />
        </span>
        <h3>
          <AppLink href={links.playbook(playbook.id)}>{title}</AppLink>
        </h3>
        {definitionOf(playbook).isDangerous && <Tag value={messages.dangerous} isWarning />}
        {box}
        {mayWrite && <Menu playbook={playbook} onEdit={onEdit} onRemove={() => setIsRemoving(true)} />}
      </div>
      {playbook.description !== null && playbook.description !== '' && <p>{playbook.description}</p>}
      <div className={classes.cardFoot}>
        <AppLink href={links.playbookRuns(playbook.id)} className={buttonClass('outline')}>
          <IconHistory size={15} aria-hidden />
          {messages.history}
          <span className="visually-hidden"> {title}</span>
        </AppLink>
        {run !== null && (
          <Button look="primary" onClick={() => run({ playbookId: playbook.id })}>
            <IconPlayerPlay size={15} aria-hidden />
            {messages.run}
            <span className="visually-hidden"> {title}</span>
          </Button>
        )}
      </div>
      {isRemoving && <Remove playbook={playbook} onClose={() => setIsRemoving(false)} />}
    </li>
  );
}
