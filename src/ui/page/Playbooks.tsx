/**
 * The door from any screen to the playbooks: a screen says what it shows, the app says whether this user may run
 * something on it and does the rest. It knows nothing of playbooks itself.
 */
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react';
import type { ResourceName, RunAsked } from '../../domain/playbook/run-asked.ts';
import { Button, IconButton } from '../actions/Button.tsx';
import { messages } from '../messages.ts';
import { MenuNote, Popover } from '../overlays/Popover.tsx';

export interface ChoicesProps {
  resource: ResourceName;
  /** One was chosen, and its dialog opens. */
  onChosen: () => void;
}

export interface PreparedProps {
  commandId: string;
  args: unknown;
  atMs: number;
}

export interface PlaybooksApi {
  /** Opens the dialog that runs a playbook. Null: this user may not, or the playbooks are switched off. */
  run: ((asked: RunAsked) => void) | null;
  /** The entries of a menu: what may be run on a thing. */
  Choices: ComponentType<ChoicesProps> | null;
  /** A run that was prepared and waits in the outbox. */
  Prepared: ComponentType<PreparedProps> | null;
}

const SHUT: PlaybooksApi = { run: null, Choices: null, Prepared: null };
const PlaybooksContext = createContext(SHUT);

/** Given by the shell. */
export function PlaybooksProvider({ door, children }: { door: PlaybooksApi; children: ReactNode }) {
  return <PlaybooksContext value={door}>{children}</PlaybooksContext>;
}

/** Whether playbooks can be run from here. */
export function usePlaybooks(): PlaybooksApi {
  return useContext(PlaybooksContext);
}

interface PlaybooksButtonProps {
  resource: ResourceName;
  look?: 'button' | 'icon';
}

/** The menu of what may be run on a thing; nothing where that isn't allowed. */
export function PlaybooksButton({ resource, look = 'button' }: PlaybooksButtonProps) {
  const { run, Choices } = usePlaybooks();
  if (run === null || Choices === null) return null;
  return (
    <Popover
      kind="menu"
      label={messages.playbooks}
      trigger={(trigger) =>
        look === 'icon' ? (
          <IconButton {...trigger} label={messages.playbooks}>
            <IconPlayerPlay size={16} />
          </IconButton>
        ) : (
          <Button {...trigger}>
            <IconPlayerPlay size={15} aria-hidden />
            {messages.playbooks}
            <IconChevronDown size={14} aria-hidden />
          </Button>
        )
      }
    >
      {(close) => (
        <Suspense fallback={<MenuNote>{messages.loading}</MenuNote>}>
          <Choices resource={resource} onChosen={close} />
        </Suspense>
      )}
    </Popover>
  );
}
