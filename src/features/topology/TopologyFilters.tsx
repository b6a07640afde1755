/** What narrows the cards (spec 2 §2): health, type, team, agent, labels; only what there is to choose from is offered. */
import { useMemo } from 'react';
import type { TopologyFacets } from '../../contract/topology-view.ts';
import { useAgentNames } from '../../data/queries/use-agent-names.ts';
import type { TriState } from '../../domain/tri-state.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { TriStateFilter } from '../../ui/fields/TriStateFilter.tsx';
import { messages } from './messages.ts';
import { activeFilters, NO_FILTERS, type TopologyState } from './url-state.ts';
import type { UpdateTopology } from './use-topology-state.ts';

const words = messages.filters;
const HEALTHS = ['unhealthy', 'warning', 'healthy', 'unknown'] as const;
/** What the worker calls the server's own components. */
const LOCAL = 'local';

interface FiltersProps {
  facets: TopologyFacets;
  state: TopologyState;
  update: UpdateTopology;
}

type Values = TopologyFacets['types'];
const totalsOf = (values: Values) => new Map(values.map(({ value, total }) => [value, total] as const));

interface FilterProps {
  label: string;
  values: Values;
  chosen: TriState;
  onChange: (next: TriState) => void;
  textOf?: (value: string) => string;
}

/** Nothing where there is nothing to choose from. */
function Filter({ label, values, chosen, onChange, textOf }: FilterProps) {
  const totals = useMemo(() => totalsOf(values), [values]);
  if (values.length === 0 && Object.keys(chosen).length === 0) return null;
  return (
    <TriStateFilter
      label={label}
      options={values.map(({ value }) => value)}
      totals={totals}
      value={chosen}
      {...(textOf === undefined ? {} : { textOf })}
      onChange={onChange}
    />
  );
}

const isHealth = (word: string): word is (typeof HEALTHS)[number] => HEALTHS.some((known) => known === word);

/** See the head of this file. */
export function TopologyFilters({ facets, state, update }: FiltersProps) {
  const names = useAgentNames(facets.agents.map(({ value }) => value).filter((id) => id !== LOCAL));
  const totals = useMemo(() => totalsOf(facets.statuses), [facets.statuses]);
  const others = facets.statuses.map(({ value }) => value).filter((value) => !isHealth(value));
  const hasOtherAgents = facets.agents.some(({ value }) => value !== LOCAL);
  return (
    <>
      <TriStateFilter
        label={words.status}
        options={[...HEALTHS, ...others]}
        totals={totals}
        textOf={(word) => (isHealth(word) ? messages.health[word] : word)}
        value={state.status}
        onChange={(status) => update({ status })}
      />
      <Filter
        label={words.type}
        values={facets.types}
        chosen={state.types}
        onChange={(types) => update({ types })}
      />
      <Filter
        label={words.team}
        values={facets.teams}
        chosen={state.teams}
        onChange={(teams) => update({ teams })}
      />
      <Filter
        label={words.labels}
        values={facets.labels}
        chosen={state.labels}
        onChange={(labels) => update({ labels })}
      />
      <Filter
        label={words.agent}
        values={hasOtherAgents ? facets.agents : []}
        chosen={state.agents}
        textOf={(id) => (id === LOCAL ? words.local : (names.get(id) ?? id))}
        onChange={(agents) => update({ agents })}
      />
      {activeFilters(state) > 0 && (
        <Button look="quiet" onClick={() => update(NO_FILTERS)}>
          {messages.clearFilters}
        </Button>
      )}
    </>
  );
}
