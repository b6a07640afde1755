import { useState } from 'react';
import { createIncident } from '../../../contract/commands/incident-commands.ts';
import { sendCommand } from '../../../data/commands/commands.ts';
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { useOneAtATime } from '../../../ui/hooks/one-at-a-time.ts';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useIncidentDraft, type DraftState } from './incident-draft.ts';
import classes from './incidents.module.css';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import { ResourcePicker } from '../ResourcePicker.tsx';
import { optionsFor } from '../words.ts';

const words = messages.form;
/** Spec 3 §4: what the list and this form offer. */
export const OFFERED_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

interface CreateIncidentProps {
  /** What it starts with. */
  seed: { title: string; description: string };
  onClose: () => void;
  onCreated: (incidentId: string) => void;
}

type ChoicesProps = Pick<DraftState, 'draft' | 'change'>;

function Choices({ draft, change }: ChoicesProps) {
  return (
    <div className={classes.choices}>
      <SelectField
        caption="above"
        label={words.type}
        value={draft.type}
        options={optionsFor('types', INCIDENT_TYPES)}
        onChange={(type) => change({ type })}
      />
      <SelectField
        caption="above"
        label={words.severity}
        value={draft.severity}
        options={optionsFor('severities', OFFERED_SEVERITIES)}
        onChange={(severity) => change({ severity })}
      />
      <SelectField
        caption="above"
        label={words.status}
        value={draft.status}
        options={optionsFor('statuses', INCIDENT_STATUSES)}
        onChange={(status) => change({ status })}
      />
      <ResourcePicker
        kind="person"
        caption="above"
        label={words.commander}
        value={draft.commanderId}
        none={words.nobody}
        onChange={(commanderId) => change({ commanderId })}
      />
      <ResourcePicker
        kind="person"
        caption="above"
        label={words.communicator}
        value={draft.communicatorId}
        none={words.nobody}
        onChange={(communicatorId) => change({ communicatorId })}
      />
    </div>
  );
}

/** A new incident; made on this device at once, whether or not there is a network. */
export function CreateIncident({ seed, onClose, onCreated }: CreateIncidentProps) {
  const device = useDevice();
  const { draft, isKept, change, forget, startOver } = useIncidentDraft(seed);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const once = useOneAtATime();
  const submit = async () => {
    const args = createIncident.args.safeParse({
      ...draft,
      id: device.newId(),
      rootHypothesisId: device.newId(),
    });
    if (!args.success) {
      const isMissing = (path: PropertyKey | undefined) => path === 'title' && draft.title.trim() === '';
      setErrors(
        Object.fromEntries(
          args.error.issues.map(({ path: [field], message }) => [
            String(field),
            isMissing(field) ? words.required : message,
          ]),
        ),
      );
      return;
    }
    setErrors({});
    const answer = await sendCommand({ name: 'create_incident', args: args.data });
    if (!answer.ok) {
      setProblem(shared.errorText(answer.error));
      return;
    }
    forget();
    onCreated(args.data.id);
  };
  return (
    <Sheet label={words.title} side="center" hasTitle onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={draft.title === '' && draft.description === '' ? undefined : 'kept'}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void once(submit);
        }}
      >
        {isKept && (
          <p className={classes.keptDraft}>
            <span role="status">{words.kept}</span>
            <Button look="quiet" onClick={startOver}>
              {words.startOver}
            </Button>
          </p>
        )}
        <TextField
          hasFocus
          label={words.name}
          value={draft.title}
          error={errors.title}
          maxLength={500}
          onChange={(title) => change({ title })}
        />
        <TextField
          isLong
          label={words.description}
          value={draft.description}
          error={errors.description}
          onChange={(description) => change({ description })}
        />
        <Choices draft={draft} change={change} />
        {problem !== null && <p role="alert">{problem}</p>}
        <div className={classes.formActions}>
          <Button
            look="quiet"
            onClick={() => {
              // Said in so many words, unlike a press beside the form, which keeps it.
              forget();
              onClose();
            }}
          >
            {words.cancel}
          </Button>
          <Button look="primary" type="submit">
            {words.submit}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}
