/** Chooses a stretch of time in one of three ways (spec 3 §2); what is chosen is the caller's to keep. */
import { IconCalendarTime } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addRecent,
  MAPPED_RANGES,
  parseRecents,
  PAST_STEPS,
  rangeLabel,
  rangeProblem,
  RECENT_RANGES_KEY,
  type ChosenRange,
  type RangeProblem,
} from '../../domain/time/time-range.ts';
import { Button } from '../actions/Button.tsx';
import { useDevice } from '../Device.tsx';
import shared from './Field.module.css';
import { messages } from './messages.ts';
import { Popover } from '../overlays/Popover.tsx';
import { Segmented } from '../actions/Segmented.tsx';
import classes from './TimeRangePicker.module.css';

const words = messages.timeRange;
const MODES = (['relative', 'absolute', 'mapped'] as const).map((value) => ({
  value,
  label: words.modes[value],
}));
type Mode = (typeof MODES)[number]['value'];

interface TimeRangePickerProps {
  value: ChosenRange | null;
  /** Why the range that was asked for (by a link) is not the one that is shown. */
  refused?: RangeProblem | null;
  onChange: (value: ChosenRange | null) => void;
}

interface PanelProps {
  value: ChosenRange | null;
  onPick: (value: ChosenRange) => void;
}

function Choices({
  items,
  chosen,
  onPick,
}: {
  items: readonly { label: string; range: ChosenRange }[];
  chosen: ChosenRange | null;
  onPick: (range: ChosenRange) => void;
}) {
  const label = chosen === null ? null : rangeLabel(chosen);
  return (
    <ul className={classes.choices}>
      {items.map((item) => (
        <li key={item.label}>
          <button
            type="button"
            className={classes.choice}
            aria-current={item.label === label ? 'true' : undefined}
            onClick={() => onPick(item.range)}
          >
            {item.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

const PAST = PAST_STEPS.map(({ range, label }) => ({
  label,
  range: { kind: 'relative' as const, range },
}));
const MAPPED = MAPPED_RANGES.map(({ name }) => ({
  label: name,
  range: { kind: 'mapped' as const, name },
}));

/** `datetime-local` writes a T where links have a space. */
const toField = (moment: string) => moment.replace(' ', 'T');
const toMoment = (field: string) => field.replace('T', ' ').slice(0, 16);

function Absolute({ value, onPick }: PanelProps) {
  const device = useDevice();
  const [draft, setDraft] = useState(value?.kind === 'absolute' ? value : { from: '', to: '' });
  const recents = parseRecents(device.readSetting(RECENT_RANGES_KEY));
  const range = { kind: 'absolute' as const, from: draft.from, to: draft.to };
  const problem = rangeProblem(range);
  const pick = (picked: typeof range) => {
    device.writeSetting(RECENT_RANGES_KEY, JSON.stringify(addRecent(recents, picked)));
    onPick(picked);
  };
  const field = (name: 'from' | 'to') => (
    <label className={shared.stacked}>
      <span className={shared.caption}>{words[name]}</span>
      <input
        type="datetime-local"
        required
        className={shared.input}
        value={toField(draft[name])}
        onChange={(event) => setDraft({ ...draft, [name]: toMoment(event.currentTarget.value) })}
      />
    </label>
  );
  return (
    <form
      className={classes.absolute}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) pick(range);
      }}
    >
      {field('from')}
      {field('to')}
      {problem !== null && problem !== 'incomplete' && (
        <p role="alert" className={shared.error}>
          {words.problems[problem]}
        </p>
      )}
      <Button look="primary" type="submit" disabled={problem !== null}>
        {words.submit}
      </Button>
      {recents.length > 0 && (
        <>
          <h3>{words.recent}</h3>
          <Choices
            items={recents.map((recent) => ({ label: rangeLabel(recent), range: recent }))}
            chosen={value}
            onPick={(picked) => picked.kind === 'absolute' && pick(picked)}
          />
        </>
      )}
    </form>
  );
}

function Relative({ value, onPick }: PanelProps) {
  const [text, setText] = useState(value?.kind === 'relative' ? value.range : '');
  const range = { kind: 'relative' as const, range: text.trim() };
  const problem = text.trim() === '' ? null : rangeProblem(range);
  return (
    <>
      <form
        className={classes.absolute}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '' && problem === null) onPick(range);
        }}
      >
        <label className={shared.stacked}>
          <span className={shared.caption}>{words.custom}</span>
          <input
            className={`${shared.input} ${problem === null ? '' : shared.invalid}`}
            value={text}
            placeholder="now-90m"
            aria-invalid={problem !== null}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {problem !== null && (
          <p role="alert" className={shared.error}>
            {words.problems[problem]}
          </p>
        )}
      </form>
      <Choices items={PAST} chosen={value} onPick={onPick} />
    </>
  );
}

function Panel({ value, onPick }: PanelProps) {
  const [mode, setMode] = useState<Mode>(value?.kind ?? 'relative');
  return (
    <div className={classes.panel}>
      <Segmented label={words.mode} value={mode} options={MODES} onChange={setMode} />
      {mode === 'absolute' && <Absolute value={value} onPick={onPick} />}
      {mode === 'relative' && <Relative value={value} onPick={onPick} />}
      {mode === 'mapped' && <Choices items={MAPPED} chosen={value} onPick={onPick} />}
    </div>
  );
}

/** `value` null means no limit; `refused` says why the last choice wasn't taken. */
export function TimeRangePicker({ value, refused = null, onChange }: TimeRangePickerProps) {
  return (
    <>
      {refused !== null && (
        <span role="alert" className={shared.error}>
          {words.refused(words.problems[refused], value === null ? words.none : rangeLabel(value))}
        </span>
      )}
      <Popover
        kind="dialog"
        label={words.label}
        trigger={(props) => (
          <Button {...props}>
            <IconCalendarTime size={16} aria-hidden />
            {value === null ? words.none : rangeLabel(value)}
          </Button>
        )}
      >
        {(close) => (
          <>
            <Panel
              value={value}
              onPick={(picked) => {
                onChange(picked);
                close();
              }}
            />
            {value !== null && (
              <div className={classes.foot}>
                <Button
                  look="quiet"
                  onClick={() => {
                    onChange(null);
                    close();
                  }}
                >
                  {words.clear}
                </Button>
              </div>
            )}
          </>
        )}
      </Popover>
    </>
  );
}
