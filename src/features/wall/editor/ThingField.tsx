/** Chooses the check or component that a tile is about, of all that this device has, by a search. */
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { recordOf } from '../../../lib/is-record.ts';
import { Picker, PickerList, type PickerListProps } from '../../../ui/fields/Picker.tsx';
import { textOf } from '../../../ui/form/FieldFrame.tsx';
import { messages } from '../messages.ts';
import classes from './editor.module.css';

const words = messages.editor;
/** Listed at once; a search finds the rest. */
const OFFERED = 50;

type ThingCollection = 'checks' | 'components';

const textIn = (row: object | undefined, field: string) => textOf(recordOf(row)[field]);

function Matches({ collection, ...props }: PickerListProps & { collection: ThingCollection }) {
  const { rows, isLoaded, total } = useLiveQuery({
    collection,
    where: [{ field: 'deleted_at', op: 'eq', value: null }],
    search: props.search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: OFFERED },
  });
  const options = rows.map(({ id, row }) => ({
    id,
    name: textIn(row, 'name') || id,
    note: textIn(row, 'namespace') || textIn(row, 'type'),
  }));
  const hint = total > options.length ? words.moreToFind(total - options.length) : null;
  return <PickerList {...props} found={{ options, isLoading: !isLoaded, needsSearch: false, hint }} />;
}

interface ThingFieldProps {
  label: string;
  collection: ThingCollection;
  /** Empty for none. */
  id: string;
  /** Said while nothing is chosen. */
  none: string;
  isClearable?: boolean;
  onChoose: (id: string | null) => void;
}

/** See the head of this file. */
export function ThingField({ label, collection, id, none, isClearable = false, onChoose }: ThingFieldProps) {
  const found = useLiveRow(collection, id);
  const name = id === '' ? none : textIn(found?.row, 'name') || id;
  return (
    <div className={classes.thing}>
      <span aria-hidden>{label}</span>
      <Picker
        label={label}
        chosen={{ id, text: name, spoken: name }}
        list={(asked) => <Matches {...asked} collection={collection} chosenId={id === '' ? null : id} />}
        isClearable={isClearable}
        onChoose={(option) => onChoose(option?.id ?? null)}
      />
    </div>
  );
}
