import { IconLayoutGrid, IconTable } from '@tabler/icons-react';
import { memo } from 'react';
import type { HealthFrame } from '../../contract/worker.ts';
import type { RefreshRate, TimeRange } from '../../domain/time/ranges.ts';
import { isRateAllowed, isTimeRange, REFRESH_RATES, TIME_RANGES } from '../../domain/time/ranges.ts';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { ROOMY, useMedia } from '../../ui/hooks/use-media.ts';
import { Segmented } from '../../ui/actions/Segmented.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { totalsOf } from './totals.ts';
import type { HealthSearch, HealthUrlState, Layout } from './url-state.ts';

const RANGE_OPTIONS = TIME_RANGES.map(({ value }) => ({ value, label: value }));
const LAYOUT_OPTIONS: { value: Layout; label: string; icon: React.ReactNode }[] = [
  { value: 'table', label: messages.table, icon: <IconTable size={16} aria-hidden /> },
  { value: 'card', label: messages.cards, icon: <IconLayoutGrid size={16} aria-hidden /> },
];

/** The numbers of all checks, each with its mark. */
export const Totals = memo(function Totals(props: { frame: HealthFrame; timeRange: TimeRange }) {
  const { frame, timeRange } = props;
  return (
    <ul className={classes.totals} data-testid="totals" data-frame="health">
      {(frame.isLoaded ? totalsOf(frame) : []).map(({ key, text, state }, at) => (
        <li key={key} className={at === 0 ? classes.first : state === null ? classes.hidden : ''}>
          {state !== null && <HealthMark state={state} size={10} />}
          {text}
        </li>
      ))}
      {frame.isLoaded && frame.summaryRange !== timeRange && (
        <li className={classes.hidden}>{messages.rangeFallback(frame.summaryRange)}</li>
      )}
    </ul>
  );
});

export interface RefreshControl {
  rate: RefreshRate;
  setRate: (rate: string) => void;
}

interface ControlsProps {
  state: HealthUrlState;
  refresh: RefreshControl;
  onChange: (change: HealthSearch) => void;
  caption: 'beside' | 'above';
}

/** Which time uptime and latency are of. */
export function RangeField({ state, onChange, caption }: Omit<ControlsProps, 'refresh'>) {
  return (
    <SelectField
      label={messages.timeRange}
      caption={caption}
      value={state.timeRange}
      options={RANGE_OPTIONS}
      onChange={(value) => {
        if (isTimeRange(value)) onChange({ timeRange: value });
      }}
    />
  );
}

/** Refresh rate and layout: the same in the header and where there is no room in it. */
export function ViewFields({ state, refresh, onChange, caption }: ControlsProps) {
  const rates = REFRESH_RATES.map((value) => ({
    value,
    label: value,
    isDisabled: !isRateAllowed(value, state.timeRange),
  }));
  return (
    <>
      <SelectField
        label={messages.refreshRate}
        caption={caption}
        value={refresh.rate}
        options={rates}
        onChange={refresh.setRate}
      />
      <Segmented
        label={messages.layout}
        value={state.layout}
        options={LAYOUT_OPTIONS}
        onChange={(layout) => onChange({ layout })}
      />
    </>
  );
}

/** What a header has beside the totals, as far as there is room. */
export function Controls(props: Omit<ControlsProps, 'caption'>) {
  const isRoomy = useMedia(ROOMY);
  return (
    <div className={classes.controls}>
      <RangeField {...props} caption="beside" />
      {isRoomy && <ViewFields {...props} caption="beside" />}
    </div>
  );
}
