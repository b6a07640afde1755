/** In the top bar of the hosted mode (spec 1 §1), and where a bad session is told of: the way to another organisation. */
import { IconBuilding } from '@tabler/icons-react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { selectOrganization, useOrganizations } from '../../data/session/use-organizations.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { MenuItem, MenuNote, MenuRule, Popover } from '../../ui/overlays/Popover.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import classes from './organizations.module.css';

export interface SwitcherProps {
  /** Of the one that the user works in; null when it isn't known here. */
  name: string | null;
  /** How much of what the user wrote waits to be sent. */
  unsentCount: number;
  /** The session works in another one now. */
  onSwitched: () => void;
  /** To the page where one is made or chosen. */
  onManage: () => void;
}

interface ChoicesProps extends SwitcherProps {
  close: () => void;
  onFailed: (error: ErrorFacts) => void;
}

function Choices({ unsentCount, onSwitched, onManage, onFailed, close }: ChoicesProps) {
  const { organizations, active, error } = useOrganizations();
  const choose = (id: string) => {
    close();
    if (id === active) return;
    void selectOrganization(id).then((failed) => {
      if (failed === null) onSwitched();
      else onFailed(failed);
    });
  };
  return (
    <>
      <MenuNote isHeading>{messages.switchTo}</MenuNote>
      {error !== null && <MenuNote>{messages.errorText(error)}</MenuNote>}
      {organizations === null && error === null && <MenuNote>{messages.loading}</MenuNote>}
      {organizations?.map(({ id, name }) => (
        <MenuItem key={id} isChecked={id === active} onSelect={() => choose(id)}>
          {name}
        </MenuItem>
      ))}
      {unsentCount > 0 && <MenuNote>{messages.sealed(unsentCount)}</MenuNote>}
      <MenuRule />
      <MenuItem
        onSelect={() => {
          close();
          onManage();
        }}
      >
        {messages.manage}
      </MenuItem>
    </>
  );
}

/** `name` is that of the present organisation, null for none. */
export function OrganizationSwitcher(props: SwitcherProps) {
  const toasts = useToasts();
  const label = props.name === null ? messages.switcherAlone : messages.switcher(props.name);
  return (
    <Popover
      kind="menu"
      label={label}
      trigger={(trigger) => (
        <Button look="quiet" aria-label={label} title={label} className={classes.switcher} {...trigger}>
          <IconBuilding size={18} stroke={1.6} aria-hidden />
          <span className={classes.current}>{props.name ?? messages.switcherAlone}</span>
        </Button>
      )}
    >
      {(close) => (
        <Choices {...props} close={close} onFailed={(error) => toasts.error(messages.errorText(error))} />
      )}
    </Popover>
  );
}
