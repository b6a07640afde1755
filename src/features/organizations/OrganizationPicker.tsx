/**
 * Where somebody who is signed in and works in no organisation goes on (spec 1 §2): picks one of theirs, or makes
 * one. Both end in the same place, told by `onSwitched`.
 */
import { IconBuilding } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { Organization } from '../../contract/http/identity/organizations.ts';
import {
  createOrganization,
  selectOrganization,
  useOrganizations,
} from '../../data/session/use-organizations.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { EntryAlert, EntryPage } from '../../ui/page/EntryPage.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { messages } from './messages.ts';
import classes from './organizations.module.css';

const MAX_NAME = 100;

function Own({ organizations, isBusy, onPick }: OwnProps) {
  if (organizations.length === 0) return <p>{messages.none}</p>;
  return (
    <ul className={classes.list} aria-label={messages.list}>
      {organizations.map(({ id, name, slug, role }) => (
        <li key={id}>
          <button type="button" className={classes.item} disabled={isBusy} onClick={() => onPick(id)}>
            <IconBuilding size={20} stroke={1.5} aria-hidden />
            <span className={classes.name}>
              {name}
              <small>{slug}</small>
            </span>
            <small>{messages.roleOf(role)}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface OwnProps {
  organizations: readonly Organization[];
  isBusy: boolean;
  onPick: (id: string) => void;
}

function CreateForm({ isBusy, onCreate }: { isBusy: boolean; onCreate: (name: string) => void }) {
  const [name, setName] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim();
    setIsMissing(given === '');
    if (given !== '') onCreate(given);
  };
  return (
    <form className={classes.form} onSubmit={handleSubmit} noValidate>
      <h2>{messages.createTitle}</h2>
      <TextField
        label={messages.name}
        value={name}
        onChange={setName}
        placeholder={messages.nameHint}
        maxLength={MAX_NAME}
        error={isMissing ? messages.required : undefined}
      />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? messages.working : messages.create}
      </Button>
    </form>
  );
}

interface OrganizationPickerProps {
  /** The session works in an organisation now. */
  onSwitched: () => void;
  onSignOut: () => void;
}

/** Asks the server: nothing of it is kept. */
export function OrganizationPicker({ onSwitched, onSignOut }: OrganizationPickerProps) {
  const { organizations, error, retry } = useOrganizations();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorFacts | null>(null);
  const change = (asked: Promise<ErrorFacts | null>) => {
    setIsBusy(true);
    setFailure(null);
    void asked.then((failed) => {
      setIsBusy(false);
      setFailure(failed);
      if (failed === null) onSwitched();
    });
  };
  const shown = failure ?? error;
  return (
    <EntryPage title={messages.title} isWide>
      <p className={classes.hint}>{messages.hint}</p>
      {shown !== null && <EntryAlert>{messages.errorText(shown)}</EntryAlert>}
      {organizations === null && error === null && <p role="status">{messages.loading}</p>}
      {error !== null && <Button onClick={retry}>{messages.retry}</Button>}
      {organizations !== null && (
        <>
          <Own
            organizations={organizations}
            isBusy={isBusy}
            onPick={(id) => change(selectOrganization(id))}
          />
          <CreateForm isBusy={isBusy} onCreate={(name) => change(createOrganization(name))} />
        </>
      )}
      <Button look="quiet" onClick={onSignOut}>
        {messages.signOut}
      </Button>
    </EntryPage>
  );
}
