/** Narrows the runs to one playbook, found by its name among all of this device. */
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { Picker, PickerList, type PickerListProps } from '../../../ui/fields/Picker.tsx';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import classes from '../playbooks.module.css';

const words = messages.runs.filters;
const ALL = { id: '', name: words.all };
/** More are found by typing. */
const ROWS = 50;

function Playbooks(props: PickerListProps) {
  const { search } = props;
  const { rows, isLoaded } = useLiveQuery({
    collection: 'playbooks',
    where: [],
    search,
    sort: [{ field: 'title', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ROWS },
  });
  const playbooks = rows.map(({ id, row }) => ({ id, name: playbookTitle(row), note: row.category }));
  const options = search === '' ? [ALL, ...playbooks] : playbooks;
  return <PickerList {...props} found={{ options, isLoading: !isLoaded, needsSearch: false }} />;
}

interface PlaybookFilterProps {
  /** Id of the playbook; empty for all. */
  value: string;
  onChange: (playbookId: string) => void;
}

/** See the head of this file. */
export function PlaybookFilter({ value, onChange }: PlaybookFilterProps) {
  const found = useLiveRow('playbooks', value);
  const known = found === undefined || found === null ? value : playbookTitle(found.row);
  const name = value === '' ? words.all : known;
  return (
    <span className={classes.filter}>
      <span className={classes.filterCaption} aria-hidden="true">
        {words.playbook}
      </span>
      <Picker
        label={words.playbook}
        chosen={{ id: value, text: name, spoken: name }}
        list={(props) => <Playbooks {...props} />}
        onChoose={(option) => onChange(option?.id ?? '')}
      />
    </span>
  );
}
