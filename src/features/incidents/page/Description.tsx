import { useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import classes from '../page.module.css';
import look from './details.module.css';

const words = messages.details;

/** What happened, in as many words as it takes; saved when its author says so. */
export function Description({ id, value }: { id: string; value: string }) {
  const { access, send } = useIncident();
  const [draft, setDraft] = useState<string | null>(null);
  if (draft === null) {
    return (
      <section className={look.description}>
        <div className={look.descriptionHead}>
          <h3>{words.description}</h3>
          {access.incident && (
            <Button look="quiet" onClick={() => setDraft(value)}>
              {words.editDescription}
            </Button>
          )}
        </div>
        {value === '' ? (
          <p className={classes.none}>{words.noDescription}</p>
        ) : (
          <p className={classes.body}>{value}</p>
        )}
      </section>
    );
  }
  const save = async () => {
    const isKept =
      draft === value ||
      (await send({ name: 'edit_incident', args: { id, changes: { description: draft } } }));
    if (isKept) setDraft(null);
  };
  return (
    <section className={look.description} data-unsaved={draft === value ? undefined : ''}>
      <TextField
        isLong
        hasFocus
        label={words.description}
        placeholder={words.describe}
        value={draft}
        onChange={setDraft}
      />
      <div className={look.actions}>
        <Button look="quiet" onClick={() => setDraft(null)}>
          {words.cancel}
        </Button>
        <Button look="primary" onClick={() => void save()}>
          {words.save}
        </Button>
      </div>
    </section>
  );
}
