/** Who a rule tells: a person, a team, or a service (spec 2 §4). */
import { useController, useFormContext } from 'react-hook-form';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { IS_SOMEBODY } from '../../../data/queries/somebody.ts';
import { NOTIFICATION_CONNECTIONS } from '../../../domain/settings/notification-connections.ts';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { Picker, PickerList, type PickerListProps } from '../../../ui/fields/Picker.tsx';
import { FieldFrame, textOf, useField } from '../../../ui/form/FieldFrame.tsx';
import { SelectInput, TextInput } from '../../../ui/form/fields.tsx';
import { messages } from './messages.ts';
import { RECIPIENTS, type RuleValues } from './rule-form.ts';

const words = messages.form;
const ROWS = 50;
const TYPES: ReadonlySet<unknown> = new Set(NOTIFICATION_CONNECTIONS.map(({ type }) => type));
const WHERE = { person: IS_SOMEBODY, team: [{ field: 'kind', op: 'eq' as const, value: 'team' }] };

function People({ kind, ...props }: PickerListProps & { kind: 'person' | 'team' }) {
  const { rows, isLoaded } = useLiveQuery({
    collection: 'resources',
    where: [...WHERE[kind]],
    search: props.search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ROWS },
  });
  const options = rows.map(({ id, row }) => ({ id, name: row.name ?? id }));
  return <PickerList {...props} found={{ options, isLoading: !isLoaded, needsSearch: false }} />;
}

interface NamedProps {
  kind: 'person' | 'team';
  isDisabled: boolean;
}

function Named({ kind, isDisabled }: NamedProps) {
  const frame = {
    name: `${kind}_id`,
    label: words[kind],
    hint: words[`${kind}Hint`],
    isRequired: true,
    isDisabled,
  };
  const field = useField(frame);
  const id = textOf(field.value);
  const name = useLiveRow('resources', id)?.row.name ?? id;
  return (
    <FieldFrame {...frame} field={field} isGroup>
      <Picker
        label={words[kind]}
        chosen={id === '' ? null : { id, text: name, spoken: name }}
        list={(asked) => <People {...asked} kind={kind} />}
        onChoose={(option) => field.change(option?.id ?? '')}
        isDisabled={isDisabled}
        isWrong={field.error !== undefined}
        attach={field.attach}
      />
    </FieldFrame>
  );
}

/** Who may not list connections writes one by its name. */
function Service({ isDisabled, mayList }: { isDisabled: boolean; mayList: boolean }) {
  const { watch } = useFormContext<RuleValues>();
  const { kept } = useTable(mayList ? { view: 'connections' } : null);
  const options = (kept?.value.rows ?? [])
    .filter((row) => TYPES.has(row['type']))
    .map(({ id, name, namespace }) => ({ value: id, label: `${namespace ?? ''}/${name ?? id}` }));
  const props = { name: 'connection', label: words.connection, hint: words.connectionHint, isDisabled };
  return (
    <>
      {mayList ? (
        <SelectInput {...props} options={options} placeholder={words.noConnection} />
      ) : (
        <TextInput {...props} />
      )}
      {watch('connection') === '' && (
        <TextInput name="url" label={words.url} hint={words.urlHint} isDisabled={isDisabled} />
      )}
    </>
  );
}

/** `mayList`: whether this user may see connections. */
export function Recipient({ isDisabled, mayList }: { isDisabled: boolean; mayList: boolean }) {
  const { field } = useController<RuleValues, 'recipient'>({ name: 'recipient' });
  const { setValue } = useFormContext<RuleValues>();
  const choose = (kind: RuleValues['recipient']) => {
    // Switching clears the others (spec 2 §4).
    for (const name of ['person_id', 'team_id', 'connection', 'url'] as const) setValue(name, '');
    field.onChange(kind);
  };
  const options = RECIPIENTS.map((value) => ({ value, label: words.recipients[value] }));
  return (
    <>
      <div>
        <Segmented
          label={words.recipient}
          value={field.value}
          options={options}
          onChange={(kind) => {
            if (!isDisabled && kind !== field.value) choose(kind);
          }}
        />
      </div>
      {field.value === 'service' ? (
        <Service isDisabled={isDisabled} mayList={mayList} />
      ) : (
        <Named key={field.value} kind={field.value} isDisabled={isDisabled} />
      )}
    </>
  );
}
