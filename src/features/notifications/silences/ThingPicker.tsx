/** Chooses what is silenced, of what this device has. */
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { Picker, PickerList, type PickerListProps } from '../../../ui/fields/Picker.tsx';
import { FieldFrame, textOf, useField } from '../../../ui/form/FieldFrame.tsx';
import { recordOf } from '../../../lib/is-record.ts';
import { messages } from './messages.ts';
import type { ThingKind } from './silence-form.ts';

const ROWS = 50;
const PLACES = {
  config: 'configs',
  component: 'components',
  check: 'checks',
  canary: 'canaries',
} as const satisfies Record<ThingKind, string>;

const nameIn = (row: object | undefined): string | null => textOf(recordOf(row)['name']) || null;
const noteIn = (row: object): string | null => {
  const { type, namespace } = recordOf(row);
  return textOf(type) || textOf(namespace) || null;
};

/** A thing by the name that this device knows; else its id. */
export function useThingName(kind: ThingKind, id: string): string {
  return nameIn(useLiveRow(PLACES[kind], id)?.row) ?? id;
}

function Matches({ kind, ...props }: PickerListProps & { kind: ThingKind }) {
  const { rows, isLoaded, total } = useLiveQuery({
    collection: PLACES[kind],
    where: [{ field: 'deleted_at', op: 'eq', value: null }],
    search: props.search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ROWS },
  });
  const options = rows.map(({ id, row }) => ({
    id,
    name: nameIn(row) ?? id,
    note: noteIn(row),
    ...(kind === 'canary' ? {} : { thing: { kind, id } }),
  }));
  const hint = total > options.length ? messages.morePicks(total - options.length) : null;
  return <PickerList {...props} found={{ options, isLoading: !isLoaded, needsSearch: false, hint }} />;
}

/** The field `thing` of the form. */
export function ThingPicker({ kind, isDisabled }: { kind: ThingKind; isDisabled: boolean }) {
  const label = messages.form.kinds[kind];
  const frame = { name: 'thing', label, isRequired: true, isDisabled };
  const field = useField(frame);
  const id = textOf(field.value);
  const name = useThingName(kind, id);
  return (
    <FieldFrame {...frame} field={field} isGroup>
      <Picker
        label={label}
        chosen={id === '' ? null : { id, text: name, spoken: name }}
        list={(asked) => <Matches {...asked} kind={kind} />}
        onChoose={(option) => field.change(option?.id ?? '')}
        isDisabled={isDisabled}
        isWrong={field.error !== undefined}
        attach={field.attach}
      />
    </FieldFrame>
  );
}
