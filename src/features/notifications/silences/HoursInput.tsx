import { IconPlus, IconTrash } from '@tabler/icons-react';
import { WEEKDAYS, type Weekday } from '../../../domain/incident/rule-hours.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { FieldFrame, useField, type FieldProps } from '../../../ui/form/FieldFrame.tsx';
import { messages } from './messages.ts';
import type { HoursDraft } from './silence-form.ts';
import classes from './silences.module.css';

const words = messages.form;
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const isDrafts = (value: unknown): value is HoursDraft[] => Array.isArray(value);

interface LineProps {
  draft: HoursDraft;
  at: number;
  isDisabled: boolean;
  onChange: (draft: HoursDraft) => void;
  onRemove: () => void;
}

function Days({ draft, isDisabled, onChange }: Pick<LineProps, 'draft' | 'isDisabled' | 'onChange'>) {
  const toggle = (day: Weekday) => {
    const isOn = draft.days.includes(day);
    onChange({ ...draft, days: WEEKDAYS.filter((one) => (one === day ? !isOn : draft.days.includes(one))) });
  };
  return (
    <div role="group" aria-label={words.days} className={classes.days}>
      {WEEKDAYS.map((day) => (
        <button
          key={day}
          type="button"
          disabled={isDisabled}
          aria-pressed={draft.days.includes(day)}
          className={classes.day}
          onClick={() => toggle(day)}
        >
          {words.dayNames[day]}
        </button>
      ))}
    </div>
  );
}

function Line({ draft, at, isDisabled, onChange, onRemove }: LineProps) {
  const clock = (part: 'start' | 'end') => (
    <TextField
      label={words[part]}
      type="time"
      value={draft[part]}
      isDisabled={isDisabled}
      onChange={(text) => onChange({ ...draft, [part]: text.slice(0, 5) })}
    />
  );
  return (
    <div className={classes.hours}>
      {clock('start')}
      {clock('end')}
      <TextField
        label={words.zone}
        value={draft.tz}
        suggestions={ZONES}
        isDisabled={isDisabled}
        onChange={(tz) => onChange({ ...draft, tz })}
      />
      <Days draft={draft} isDisabled={isDisabled} onChange={onChange} />
      <IconButton label={words.removeHours(at + 1)} disabled={isDisabled} onClick={onRemove}>
        <IconTrash size={16} />
      </IconButton>
    </div>
  );
}

/** Hours of the day that come again, each in its own time zone. */
export function HoursInput(props: FieldProps) {
  const field = useField(props);
  const drafts = isDrafts(field.value) ? field.value : [];
  const isDisabled = field.control.disabled;
  return (
    <FieldFrame {...props} field={field} isGroup>
      {drafts.map((draft, at) => (
        <Line
          // oxlint-disable-next-line react/no-array-index-key -- a line is its place
          key={at}
          draft={draft}
          at={at}
          isDisabled={isDisabled}
          onChange={(next) => field.change(drafts.map((one, index) => (index === at ? next : one)))}
          onRemove={() => field.change(drafts.filter((_one, index) => index !== at))}
        />
      ))}
      <span>
        <Button
          disabled={isDisabled}
          onClick={() => field.change([...drafts, { start: '22:00', end: '06:00', days: [], tz: ownZone() }])}
        >
          <IconPlus size={15} aria-hidden />
          {words.addHours}
        </Button>
      </span>
    </FieldFrame>
  );
}
