import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { DurationFilter, StatusFilter } from '../../../domain/check/history-filter.ts';
import { DURATION_PRESETS, STATUS_FILTERS } from '../../../domain/check/history-filter.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';

const CUSTOM = 'custom';
const STATUS_OPTIONS = STATUS_FILTERS.map((value) => ({ value, label: value }));
const DURATION_OPTIONS = [
  ...DURATION_PRESETS.map((value) => ({
    value: String(value),
    label: value === 'All' ? value : `≥ ${value}`,
  })),
  { value: CUSTOM, label: messages.custom },
];
const PAGE_SIZES = ['50', '100', '200'].map((value) => ({ value, label: value }));

export interface HistoryFilterState {
  status: StatusFilter;
  duration: string;
  page: number;
  pageSize: number;
}

interface HistoryFiltersProps {
  filter: HistoryFilterState;
  parsed: DurationFilter;
  total: number;
  onChange: (filter: HistoryFilterState) => void;
}

const isStatus = (text: string): text is StatusFilter => STATUS_FILTERS.some((known) => known === text);

function DurationField({ filter, parsed, onChange }: Omit<HistoryFiltersProps, 'total'>) {
  const isPreset = DURATION_PRESETS.some((preset) => preset === filter.duration);
  const [isCustom, setIsCustom] = useState(!isPreset);
  const errorId = useId();
  const change = (duration: string) => onChange({ ...filter, duration, page: 0 });
  return (
    <>
      <SelectField
        label={messages.duration}
        value={isCustom ? CUSTOM : filter.duration}
        options={DURATION_OPTIONS}
        onChange={(value) => {
          setIsCustom(value === CUSTOM);
          change(value === CUSTOM ? '' : value);
        }}
      />
      {isCustom && (
        <span className={classes.custom}>
          <input
            aria-label={messages.customDuration}
            placeholder={messages.customHint}
            aria-invalid={!parsed.ok}
            aria-describedby={errorId}
            autoFocus
            value={filter.duration}
            onChange={(event) => change(event.currentTarget.value)}
          />
          <span id={errorId} role="alert" className={classes.error}>
            {parsed.ok ? '' : parsed.error}
          </span>
        </span>
      )}
    </>
  );
}

/** Which runs are listed, and which page of them. */
export function HistoryFilters({ filter, parsed, total, onChange }: HistoryFiltersProps) {
  const { page, pageSize } = filter;
  const first = page * pageSize;
  const last = Math.min(total, first + pageSize);
  return (
    <div className={classes.filters}>
      <SelectField
        label={messages.status}
        value={filter.status}
        options={STATUS_OPTIONS}
        onChange={(status) => {
          if (isStatus(status)) onChange({ ...filter, status, page: 0 });
        }}
      />
      <DurationField filter={filter} parsed={parsed} onChange={onChange} />
      <div className={classes.pager}>
        <SelectField
          label={messages.pageSize}
          value={String(pageSize)}
          options={PAGE_SIZES}
          onChange={(size) => onChange({ ...filter, pageSize: Number(size), page: 0 })}
        />
        <span>{total === 0 ? '' : messages.page(first + 1, last, total)}</span>
        <IconButton
          label={messages.previous}
          disabled={page === 0}
          onClick={() => onChange({ ...filter, page: page - 1 })}
        >
          <IconChevronLeft size={16} />
        </IconButton>
        <IconButton
          label={messages.next}
          disabled={last >= total}
          onClick={() => onChange({ ...filter, page: page + 1 })}
        >
          <IconChevronRight size={16} />
        </IconButton>
      </div>
    </div>
  );
}
