import { memo, useState } from 'react';
import type { HealthFrame, LabelFacet } from '../../../contract/worker.ts';
import { ALL_TAB } from '../../../domain/check/grouping.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import classes from './filters.module.css';
import { LabelFacetFilter } from './LabelFacetFilter.tsx';
import { messages } from '../messages.ts';
import type { HealthSearch, HealthUrlState } from '../url-state.ts';
import { activeFilters } from '../use-health-state.ts';

/** Fewer labels are found at a glance. */
const SEARCH_FROM = 8;

interface FilterPanelProps {
  facets: HealthFrame['facets'];
  hiddenPassing: number;
  isLoaded: boolean;
  state: HealthUrlState;
  onChange: (change: HealthSearch) => void;
}

/** The facets that the search finds: by key, or by a value, and then only those values. */
function matching(facets: readonly LabelFacet[], search: string): LabelFacet[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [...facets];
  return facets.flatMap((facet) => {
    if (facet.key.toLowerCase().includes(wanted)) return facet;
    const values = facet.values.filter(({ value }) => value.toLowerCase().includes(wanted));
    return values.length === 0 ? [] : { key: facet.key, values };
  });
}

/** What narrows the list besides the search: Hide Passing and the labels. */
export const FilterPanel = memo(function FilterPanel(props: FilterPanelProps) {
  const { hiddenPassing, state, onChange } = props;
  const [search, setSearch] = useState('');
  const facets = matching(props.facets, search);
  const isNarrowed = activeFilters(state) > 0;
  return (
    <div className={classes.panel}>
      <div className={classes.section}>
        <Switch
          label={messages.hidePassing}
          isOn={state.hidePassing}
          onChange={(hidePassing) => onChange({ hidePassing })}
        />
        {hiddenPassing > 0 && (
          <p className={classes.note} data-frame="health">
            {messages.passingHidden(hiddenPassing)}
          </p>
        )}
      </div>
      <div className={classes.section}>
        <div className={classes.heading}>
          {messages.labels}
          {isNarrowed && (
            <Button look="quiet" onClick={() => onChange({ labels: {}, tab: ALL_TAB })}>
              {messages.clearFilters}
            </Button>
          )}
        </div>
        {props.facets.length >= SEARCH_FROM && (
          <SearchBox
            label={messages.searchLabels}
            placeholder={messages.searchLabels}
            clearLabel={messages.clearSearch}
            seed=""
            seedId={0}
            onChange={setSearch}
          />
        )}
        {props.facets.length === 0 && props.isLoaded && <p className={classes.note}>{messages.noLabels}</p>}
        {facets.map((facet) => (
          <LabelFacetFilter
            key={`${facet.key}${search === '' ? '' : '?'}`}
            facet={facet}
            filter={state.labels}
            onChange={(labels) => onChange({ labels })}
            isOpenAtFirst={search !== ''}
          />
        ))}
      </div>
    </div>
  );
});
