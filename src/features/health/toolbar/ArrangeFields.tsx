import type { LabelFacet } from '../../../contract/worker.ts';
import { ALL_TAB, isGroupBy, isTabBy } from '../../../domain/check/grouping.ts';
import type { SelectOption } from '../../../ui/fields/SelectField.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { messages } from '../messages.ts';
import type { HealthSearch, HealthUrlState, PivotBy } from '../url-state.ts';
import { healthSearch } from '../url-state.ts';

interface ArrangeProps {
  state: HealthUrlState;
  facets: readonly LabelFacet[];
  onChange: (change: HealthSearch) => void;
  caption: 'beside' | 'above';
}

const optionsOf = (words: Readonly<Record<string, string>>): SelectOption[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** The fixed choices, then the label keys; a chosen key stays on offer though no check carries it now. */
function withLabels(fixed: SelectOption[], facets: readonly LabelFacet[], chosen: string): SelectOption[] {
  const labelled = facets.map(({ key }) => ({ value: `label:${key}`, label: key, group: messages.labels }));
  const isOffered = [...fixed, ...labelled].some((option) => option.value === chosen);
  const missing = { value: chosen, label: chosen.replace(/^label:/, ''), group: messages.labels };
  return [...fixed, ...labelled, ...(isOffered ? [] : [missing])];
}

/** How the checks are grouped and divided into tabs. */
export function ArrangeFields({ state, facets, onChange, caption }: ArrangeProps) {
  return (
    <>
      <SelectField
        label={messages.groupBy}
        caption={caption}
        value={state.groupBy}
        options={withLabels(optionsOf(messages.groups), facets, state.groupBy)}
        onChange={(groupBy) => {
          if (isGroupBy(groupBy)) onChange({ groupBy });
        }}
      />
      <SelectField
        label={messages.tabBy}
        caption={caption}
        value={state.tabBy}
        options={withLabels(optionsOf(messages.tabs), facets, state.tabBy)}
        onChange={(tabBy) => {
          if (isTabBy(tabBy)) onChange({ tabBy, tab: ALL_TAB });
        }}
      />
    </>
  );
}

/** Columns made of values, and what their cells show. */
export function PivotFields({ state, facets, onChange }: Omit<ArrangeProps, 'caption'>) {
  const firstKey = facets[0]?.key ?? '';
  const handlePivot = (value: string) => {
    const pivotBy: PivotBy = healthSearch.parse({ pivotBy: value }).pivotBy ?? 'none';
    const pivotLabel = pivotBy === 'labels' && state.pivotLabel === '' ? firstKey : state.pivotLabel;
    onChange({ pivotBy, pivotLabel: pivotBy === 'labels' ? pivotLabel : '' });
  };
  return (
    <>
      <SelectField
        label={messages.pivotBy}
        caption="above"
        value={state.pivotBy}
        options={optionsOf(messages.pivots)}
        onChange={handlePivot}
      />
      {state.pivotBy === 'labels' && (
        <SelectField
          label={messages.pivotLabel}
          caption="above"
          value={state.pivotLabel}
          options={facets.map(({ key }) => ({ value: key, label: key }))}
          onChange={(pivotLabel) => onChange({ pivotLabel })}
        />
      )}
      {state.pivotBy !== 'none' && (
        <SelectField
          label={messages.pivotCell}
          caption="above"
          value={state.pivotCellType}
          options={optionsOf(messages.cells)}
          onChange={(cell) => onChange(healthSearch.parse({ pivotCellType: cell }))}
        />
      )}
    </>
  );
}
