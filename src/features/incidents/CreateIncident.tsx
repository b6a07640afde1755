import { useState } from 'react';
import { createIncident } from '../../contract/commands/incident-commands.ts';
import { sendCommand } from '../../data/commands.ts';
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';
import { Button } from '../../ui/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { TextField } from '../../ui/TextField.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import { optionsFor } from './words.ts';

const words = messages.form;
/** Spec 3 §4: what the list and this form offer. */
export const OFFERED_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

const EMPTY = { title: '', description: '', type: 'availability', severity: 'low', status: 'open' };
type Draft = typeof EMPTY;

interface CreateIncidentProps {
  onClose: () => void;
  onCreated: (incidentId: string) => void;
}

/** A new incident; made on this device at once, whether or not there is a network. */
export function CreateIncident({ onClose, onCreated }: CreateIncidentProps) {
  const device = useDevice();
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = async () => {
    const args = createIncident.args.safeParse({
      ...draft,
      id: device.newId(),
      rootHypothesisId: device.newId(),
    });
    if (!args.success) {
      setErrors(Object.fromEntries(args.error.issues.map(({ path, message }) => [String(path[0]), message])));
      return;
    }
    setErrors({});
    const answer = await sendCommand({ name: 'create_incident', args: args.data });
    if (answer.ok) onCreated(args.data.id);
    else setProblem(messages.errorText(answer.error));
  };
  return (
    <Sheet label={words.title} side="center" hasTitle onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={draft === EMPTY ? undefined : ''}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
        </div>
        {problem !== null && <p role="alert">{problem}</p>}
        <div className={classes.formActions}>
          <Button look="quiet" onClick={onClose}>
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
