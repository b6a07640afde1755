/** Insights with their filters; all of the catalog's, or those of one item. */
import { IconBulb } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { ValueCount } from '../../../contract/catalog-view.ts';
import { SEVERITIES } from '../../../domain/catalog/severity.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { FoldingFilters } from '../../../ui/fields/FoldingFilters.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { useAskedText } from '../../../ui/hooks/use-search-text.ts';
import { useSearchState, type ChangeSearch } from '../../../ui/search/use-search-state.ts';
import { insightsSearch, type InsightsSearch } from '../search-schemas.ts';
import { InsightSheet } from './InsightSheet.tsx';
import { InsightTable } from './InsightTable.tsx';
import classes from './insights.module.css';
import { messages } from './messages.ts';
import {
  filterCount,
  filterLink,
  hasFilters,
  INSIGHT_STATUSES,
  insightState,
  NO_FILTERS,
  type InsightFilter,
  type InsightState,
} from './url-state.ts';
import { useInsights, type Insights } from './use-insights.ts';

const words = messages.filters;
const ALL = { value: '', label: messages.all };

interface ChoiceProps {
  label: string;
  value: string | null;
  options: readonly string[];
  onChange: (value: string | null) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const all = value === null || options.includes(value) ? options : [value, ...options];
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      options={[ALL, ...all.map((one) => ({ value: one, label: one.replaceAll(',', ', ') }))]}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

const valuesOf = (counts: readonly ValueCount[]) => counts.map(({ value }) => value);

interface FiltersProps {
  state: InsightState;
  insights: Insights;
  isOfOneItem: boolean;
  change: ChangeSearch<InsightsSearch>;
}

function Filters(props: FiltersProps) {
  const { state, isOfOneItem, change } = props;
  const { types, analyzers, configTypes } = props.insights.frame;
  const set = (name: InsightFilter | 'status', value: string | null) => change(filterLink(name, value));
  const choice = (name: InsightFilter, label: string, options: readonly string[]) => (
    <Choice label={label} value={state[name]} options={options} onChange={(value) => set(name, value)} />
  );
  return (
    <>
      <SelectField
        label={words.status}
        value={state.status}
        options={INSIGHT_STATUSES.map((value) => ({ value, label: messages.statuses[value] }))}
        onChange={(value) => set('status', value === 'open' ? null : value)}
      />
      {choice('severity', words.severity, SEVERITIES)}
      {choice('type', words.type, valuesOf(types))}
      {choice('analyzer', words.analyzer, valuesOf(analyzers))}
      {!isOfOneItem && choice('configType', words.configType, valuesOf(configTypes))}
      {!isOfOneItem && state.component !== null && (
        <Button look="quiet" isPressed onClick={() => set('component', null)}>
          {words.component} ×
        </Button>
      )}
      {!isOfOneItem && state.configId !== null && (
        <Button look="quiet" isPressed onClick={() => set('configId', null)}>
          {words.config} ×
        </Button>
      )}
      {hasFilters(state) && (
        <Button look="quiet" onClick={() => change(NO_FILTERS)}>
          {words.clear}
        </Button>
      )}
    </>
  );
}

function Nothing({ insights, isFiltered }: { insights: Insights; isFiltered: boolean }) {
  const { error } = insights;
  if (error !== null) {
    return (
      <StateNote title={messages.failed} role="alert">
        <p>{messages.errorText(error)}</p>
        <p>{messages.serverOnly}</p>
      </StateNote>
    );
  }
  if (!insights.isLoaded) return <SkeletonRows text={messages.loading} />;
  const note = isFiltered ? messages.nothingFound : messages.empty;
  return (
    <StateNote title={note.title} icon={<IconBulb size={32} stroke={1.3} />}>
      <p>{note.hint}</p>
    </StateNote>
  );
}

/** Of the item of an insight that was pressed: its row has it before the whole insight is here. */
function itemNameOf(id: string, { count, rowAt }: Insights): string | null {
  for (let at = 0; at < count; at += 1) {
    const row = rowAt(at);
    if (row?.id === id) return row.configName;
  }
  return null;
}

interface InsightsListProps {
  /** Only those of this item; null for all. */
  configId: string | null;
}

/** `configId` null lists the whole catalog. */
export function InsightsList({ configId }: InsightsListProps) {
  const [search, change] = useSearchState(insightsSearch);
  const isOfOneItem = configId !== null;
  const linked = insightState(search);
  const state = isOfOneItem ? { ...linked, configId, configType: null, component: null } : linked;
  const link = useCallback((text: string) => change(filterLink('search', text)), [change]);
  const box = useAskedText(search.search ?? '', link);
  const insights = useInsights(state, box.readText());
  const isFiltered = hasFilters({ ...state, configId: null }) || box.readText() !== '';
  const open = search.insight;
  const found = insights.kept
    ? messages.ofServer(insights.count)
    : messages.total(insights.count, insights.frame.totalCount);
  return (
    <div className={classes.list}>
      <div className={classes.filters}>
        {state.status === 'open' && (
          <SearchBox
            label={messages.search}
            placeholder={messages.search}
            clearLabel={messages.clearSearch}
            seed={box.seed}
            seedId={box.seedId}
            onChange={(text) => {
              insights.ask(text);
              box.setText(text);
            }}
            className={classes.search ?? ''}
          />
        )}
        <FoldingFilters active={filterCount(isOfOneItem ? { ...state, configId: null } : state)}>
          <Filters state={state} insights={insights} isOfOneItem={isOfOneItem} change={change} />
        </FoldingFilters>
        <span role="status" className={classes.found}>
          {insights.isLoaded && !isOfOneItem && found}
        </span>
        {insights.kept && <CacheNote {...insights.kept} />}
        {insights.cutAt !== null && (
          <span className={classes.found}>{messages.itemsCut(insights.cutAt)}</span>
        )}
      </div>
      {insights.count === 0 ? (
        <Nothing insights={insights} isFiltered={isFiltered} />
      ) : (
        <InsightTable
          count={insights.count}
          rowAt={insights.rowAt}
          onRange={insights.setRange}
          sort={{ by: state.sortBy, isDescending: state.isDescending }}
          onSort={(column) => {
            const isAscending = state.sortBy === column && state.isDescending;
            change({ sortBy: column, sortOrder: isAscending ? 'asc' : 'desc' });
          }}
          onOpen={(id) => change({ insight: id }, { isReplacing: false })}
          isOfOneItem={isOfOneItem}
        />
      )}
      {open !== undefined && (
        <InsightSheet
          id={open}
          itemName={itemNameOf(open, insights)}
          onClose={() => change({ insight: undefined, pageIndex: undefined }, { isReplacing: false })}
        />
      )}
    </div>
  );
}
