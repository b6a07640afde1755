import { formatCount } from '../../../domain/format-count.ts';
import { IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { LabelFacet } from '../../../contract/worker.ts';
import type { LabelFilter, TriState } from '../../../domain/check/label-filter.ts';
import { labelEntry, toggleLabel } from '../../../domain/check/label-filter.ts';
import classes from './filters.module.css';
import { messages } from '../messages.ts';

/** Above so many values the list shows the most frequent; the search above finds the others. */
const MAX_VALUES = 60;
/** From so many selected values on, the summary counts instead of naming (spec 1 §2). */
const COUNT_FROM = 4;

interface FacetProps {
  facet: LabelFacet;
  filter: LabelFilter;
  onChange: (filter: LabelFilter) => void;
}

/** Neutral, include, exclude; a press on the active one makes it neutral again (spec 1 §5). */
function TriStateFilter({ facet, filter, onChange }: FacetProps) {
  const only = facet.values[0];
  if (only === undefined) return null;
  const name = `${facet.key}: ${only.value}`;
  const entry = labelEntry(facet.key, only.value);
  const toggle = (sign: TriState) => onChange(toggleLabel(filter, entry, sign));
  return (
    <div className={classes.facet} role="group" aria-label={name}>
      <span className={classes.facetName} title={name}>
        <span className={classes.key}>{facet.key}:</span> {only.value}
      </span>
      <span className={classes.total}>{formatCount(only.total)}</span>
      <span className={classes.tri}>
        <button
          type="button"
          aria-label={messages.include(name)}
          aria-pressed={filter[entry] === 1}
          onClick={() => toggle(1)}
        >
          <IconPlus size={14} aria-hidden />
        </button>
        <button
          type="button"
          className={classes.not}
          aria-label={messages.exclude(name)}
          aria-pressed={filter[entry] === -1}
          onClick={() => toggle(-1)}
        >
          <IconMinus size={14} aria-hidden />
        </button>
      </span>
    </div>
  );
}

function without(filter: LabelFilter, facet: LabelFacet): LabelFilter {
  const entries = new Set(facet.values.map(({ value }) => labelEntry(facet.key, value)));
  return Object.fromEntries(Object.entries(filter).filter(([entry]) => !entries.has(entry)));
}

function summaryOf(selected: readonly string[]): string {
  return selected.length >= COUNT_FROM ? messages.selected(selected.length) : selected.join(', ');
}

function Values({ facet, filter, onChange }: FacetProps) {
  const all = facet.values.map(({ value }) => labelEntry(facet.key, value));
  const isAll = all.every((entry) => filter[entry] === 1);
  const shown = facet.values.slice(0, MAX_VALUES);
  const handleAll = () => {
    const rest = without(filter, facet);
    onChange(isAll ? rest : { ...rest, ...Object.fromEntries(all.map((entry) => [entry, 1 as const])) });
  };
  return (
    <div className={classes.values}>
      <label className={classes.value}>
        <input type="checkbox" checked={isAll} onChange={handleAll} />
        {messages.selectAll}
      </label>
      {shown.map(({ value, total }) => {
        const entry = labelEntry(facet.key, value);
        const isExcluded = filter[entry] === -1;
        return (
          <label key={value} className={classes.value}>
            <input
              type="checkbox"
              checked={filter[entry] === 1}
              onChange={() => onChange(toggleLabel(filter, entry, isExcluded ? -1 : 1))}
            />
            <span className={`${classes.facetName} ${isExcluded ? classes.excluded : ''}`} title={value}>
              {value}
            </span>
            <span className={classes.total}>{formatCount(total)}</span>
          </label>
        );
      })}
      {facet.values.length > shown.length && (
        <p className={classes.note}>{messages.moreValues(facet.values.length - shown.length)}</p>
      )}
    </div>
  );
}

function MultiFilter(props: FacetProps & { isOpenAtFirst: boolean }) {
  const { facet, filter } = props;
  const [isOpen, setIsOpen] = useState(props.isOpenAtFirst);
  const selected = facet.values.flatMap(({ value }) => {
    const sign = filter[labelEntry(facet.key, value)];
    if (sign === undefined) return [];
    return sign === 1 ? value : `not ${value}`;
  });
  return (
    <div>
      <button
        type="button"
        className={classes.multi}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((before) => !before)}
      >
        <IconChevronRight size={14} className={classes.chevron} aria-hidden />
        <span className={classes.facetName} title={facet.key}>
          {facet.key}
        </span>
        {selected.length > 0 ? (
          <span className={classes.summary} title={selected.join(', ')}>
            {summaryOf(selected)}
          </span>
        ) : (
          <span className={classes.total}>{facet.values.length}</span>
        )}
      </button>
      {isOpen && <Values {...props} />}
    </div>
  );
}

/** The filter of one label key: a choice of many for several values, three states for a single one (spec 1 §2). */
export function LabelFacetFilter(props: FacetProps & { isOpenAtFirst: boolean }) {
  return props.facet.values.length === 1 ? <TriStateFilter {...props} /> : <MultiFilter {...props} />;
}
