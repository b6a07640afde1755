import { useState } from 'react';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import {
  editField,
  formFields,
  isFilled,
  responderProperties,
  type FieldOption,
} from '../../../domain/incident/responder-form.ts';
import { clientsOf } from '../../../domain/incident/responder-type.ts';
import { links } from '../../../domain/links.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useIncident } from '../incident-context.tsx';
import { useNames } from '../use-names.ts';
import { PAGE_ROWS } from '../page-rows.ts';
import { DetailField } from './DetailField.tsx';
import { messages as words } from './messages.ts';
import classes from './responders.module.css';
import { typeWord } from './ResponderTypeIcon.tsx';
import { nameOf, type ResourceRow } from './use-resources.ts';

/**
 * Items of the catalog that stand for outside systems (schema §8.2); the team's own client when there are none, or
 * where it was chosen before the first of them arrived: a choice is not taken back from who made it.
 */
function useInstances(team: ResourceRow, type: string, chosen: string | undefined): readonly FieldOption[] {
  const { rows } = useLiveQuery({
    collection: 'configs',
    where: [
      { field: 'config_class', op: 'eq', value: 'Responder' },
      { field: 'type', op: 'eq', value: type },
    ],
    search: '',
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  });
  const isOfTeam = ({ external_id: ids }: { external_id?: unknown }) =>
    Array.isArray(ids) ? ids.includes(team.id) : ids === team.id;
  const found = rows.filter(({ row }) => isOfTeam(row));
  const items = found.map(({ id, row }) => ({ value: id, label: nameOf(row, id) }));
  if (items.length > 0 && chosen !== type) return items;
  return [
    ...items,
    { value: type, label: words.ownInstance(`${nameOf(team, '')} ${typeWord(type)}`.trim()) },
  ];
}

/** What templates may tell of the incident (contract §13): its own fields, its address and its commander. */
function useTemplateIncident(): Readonly<Record<string, unknown>> {
  const { incidentId } = useIncident();
  const device = useDevice();
  const found = useLiveRow('incidents', incidentId);
  const commanderId = found?.row.commander_id ?? null;
  const commander = useNames([commanderId]).get(commanderId ?? '');
  const number = found?.row.incident_id;
  return {
    ...found?.row,
    number,
    url: device.addressOf(links.incident(incidentId)),
    commander: { name: commander },
  };
}

interface DetailsStepProps {
  team: ResourceRow;
  type: string;
  onSave: (properties: Record<string, string>) => void;
  onBack: () => void;
}

/** 'Save Team Responder details' (spec 3 §5): every field is required. */
export function DetailsStep({ team, type, onSave, onBack }: DetailsStepProps) {
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const [isChecked, setIsChecked] = useState(false);
  const instances = useInstances(team, type, edits['configType']);
  const incident = useTemplateIncident();
  const client = clientsOf(team).get(type) ?? { defaults: {}, values: {}, linkUrl: null };
  const fields = formFields({ type, client, instances, incident, edits });
  const save = () => {
    setIsChecked(true);
    if (fields.every((field) => isFilled(type, field))) onSave(responderProperties(type, fields));
  };
  return (
    <form
      className={classes.step}
      noValidate
      data-unsaved={Object.keys(edits).length === 0 ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <p className={classes.lead}>
        {nameOf(team, team.id)} · {typeWord(type)}
      </p>
      <div className={classes.fields}>
        {fields.map((field) => (
          <DetailField
            key={field.name}
            field={field}
            error={isChecked && !isFilled(type, field) ? words.required : undefined}
            onChange={(value) => setEdits((before) => editField(type, before, { name: field.name, value }))}
          />
        ))}
      </div>
      <div className={classes.actions}>
        <Button onClick={onBack}>{words.back}</Button>
        <Button look="primary" type="submit">
          {words.save}
        </Button>
      </div>
    </form>
  );
}
