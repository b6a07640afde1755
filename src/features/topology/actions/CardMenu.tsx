/** The actions of a component on its card. Cards move under an open menu: it stays with the one that was pressed. */
import { IconDotsVertical } from '@tabler/icons-react';
import { createContext, useContext, useState } from 'react';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import classes from './actions.module.css';
import type { OpenedDialog } from './ComponentDialogs.tsx';
import { ComponentMenuItems, type ActedOn } from './ComponentMenuItems.tsx';
import { messages } from './messages.ts';

/** Opens a dialog beside the cards; null where cards are only looked at. */
export const CardActions = createContext<((opened: OpenedDialog) => void) | null>(null);

/** See the head of this file. */
export function CardMenu({ card }: { card: ActedOn }) {
  const open = useContext(CardActions);
  const [pressed, setPressed] = useState(card);
  if (open === null) return null;
  const label = messages.actionsOf(card.name);
  return (
    <Popover
      kind="menu"
      label={messages.actionsOf(pressed.name)}
      trigger={({ onClick, ...trigger }) => (
        <IconButton
          {...trigger}
          label={label}
          className={classes.trigger ?? ''}
          onClick={(event) => {
            setPressed(card);
            onClick(event);
          }}
        >
          <IconDotsVertical size={16} aria-hidden />
        </IconButton>
      )}
    >
      {(close) => (
        <ComponentMenuItems
          component={pressed}
          hasAttach
          closeMenu={close}
          onDialog={(dialog) => open({ dialog, component: pressed })}
        />
      )}
    </Popover>
  );
}
