/** Who takes many incidents over, and who knows of many things and need not be told again. */
import { useState } from 'react';
import { IS_SOMEBODY } from '../../data/queries/somebody.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { SNOOZE_HOURS } from '../../domain/notification/acknowledgement.ts';
import { Picker, PickerList, type PickerListProps, type PickerOption } from '../../ui/fields/Picker.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import classes from './bulk.module.css';
import { ChangeFrame, type ChangeDialogProps } from './ChangeFrame.tsx';
import { messages } from './messages.ts';

const ROWS = 50;
const FIELDS = ['commander_id', 'communicator_id'] as const;

function People(props: PickerListProps) {
  const { rows, isLoaded } = useLiveQuery({
    collection: 'resources',
    where: [...IS_SOMEBODY],
    search: props.search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ROWS },
  });
  const options = rows.map(({ id, row }) => ({ id, name: row.name ?? id }));
  return <PickerList {...props} found={{ options, isLoading: !isLoaded, needsSearch: false }} />;
}

/** A commander or communicator for all of them, or nobody. */
export function AssignDialog({ onApply, onClose }: ChangeDialogProps) {
  const words = messages.assign;
  const [as, setAs] = useState<string>(FIELDS[0]);
  const [person, setPerson] = useState<PickerOption | null>(null);
  const apply = () => {
    const field = FIELDS.find((one) => one === as);
    if (field !== undefined) onApply({ do: 'assign', as: field, personId: person?.id ?? null });
  };
  const text = person?.name ?? words.nobody;
  return (
    <ChangeFrame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <SelectField
        caption="above"
        label={words.as}
        value={as}
        options={FIELDS.map((value) => ({ value, label: words.roles[value] }))}
        onChange={setAs}
      />
      <div className={classes.field} role="group" aria-label={words.person}>
        <span aria-hidden="true">{words.person}</span>
        <Picker
          label={words.person}
          chosen={{ id: person?.id ?? '', text, spoken: text }}
          list={(asked) => <People {...asked} chosenId={person?.id ?? null} />}
          onChoose={setPerson}
          isClearable
        />
      </div>
    </ChangeFrame>
  );
}

/** Acknowledges all of them: until they are well, or for some hours. */
export function AcknowledgeDialog({ isOver, onApply, onClose }: ChangeDialogProps & { isOver: boolean }) {
  const words = messages.acknowledge;
  const [hours, setHours] = useState('');
  const options = [
    { value: '', label: isOver ? words.over : words.well },
    ...SNOOZE_HOURS.map((value) => ({ value: String(value), label: words.hours(value) })),
  ];
  return (
    <ChangeFrame
      title={words.title}
      apply={words.apply}
      onApply={() => onApply({ do: 'acknowledge', hours: hours === '' ? null : Number(hours) })}
      onClose={onClose}
    >
      <SelectField caption="above" label={words.until} value={hours} options={options} onChange={setHours} />
    </ChangeFrame>
  );
}
