/** The answer to a question about cards: filter → order → cards of the window alone. */
import type {
  TopologyCard,
  TopologyFacets,
  TopologyFrame,
  TopologyQuery,
} from '../../../src/contract/topology-view.ts';
import { emptyCounts } from '../../../src/domain/check/health.ts';
import { propertiesOf } from '../../../src/domain/topology/property.ts';
import { countInto, valueCounts } from '../catalog/facets.ts';
import type { WindowBoard } from '../window-view.ts';
import { cardOf } from './topology-cards.ts';
import { agentOf, idsFor, statusesOf } from './topology-filter.ts';
import type { TopologyModel } from './topology-model.ts';
import { inOrder } from './topology-order.ts';

/** More help nobody; the most frequent are kept. */
const MAX_LABELS = 500;
const MAX_HEADLINES = 50;

function headlinesOf({ table }: TopologyModel): string[] {
  const counts = new Map<string, number>();
  for (const [column, count] of table.count(table.takenSlots(), 'properties')) {
    for (const { isHeadline, name } of propertiesOf(column)) if (isHeadline) countInto(counts, name, count);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_HEADLINES)
    .map(([name]) => name)
    .toSorted();
}

function facetsOf(model: TopologyModel): TopologyFacets {
  const fresh = () => new Map<string, number>();
  const counts = { types: fresh(), statuses: fresh(), teams: fresh(), agents: fresh(), labels: fresh() };
  for (const [id, node] of model.nodes) {
    countInto(counts.types, node.component.type);
    for (const word of new Set(statusesOf(model, id))) countInto(counts.statuses, word);
    for (const team of node.teams) countInto(counts.teams, team);
    countInto(counts.agents, agentOf(node));
    for (const key in node.labels) countInto(counts.labels, `${key}=${node.labels[key] ?? ''}`);
  }
  const frequent = new Map([...counts.labels].toSorted(([, a], [, b]) => b - a).slice(0, MAX_LABELS));
  return {
    types: valueCounts(counts.types),
    statuses: valueCounts(counts.statuses),
    teams: valueCounts(counts.teams),
    agents: valueCounts(counts.agents),
    labels: valueCounts(frequent),
    headlines: headlinesOf(model),
  };
}

/** What filters offer, worked out once for a state of the data. */
export function createFacets(model: TopologyModel): () => TopologyFacets {
  let known: { version: number; facets: TopologyFacets } | null = null;
  return () => {
    if (known?.version !== model.version) known = { version: model.version, facets: facetsOf(model) };
    return known.facets;
  };
}

/** Answers one view's questions. */
export function createTopologyBoard(
  model: TopologyModel,
  facets: () => TopologyFacets,
): (query: TopologyQuery) => WindowBoard<TopologyFrame, TopologyCard> {
  return (query) => {
    const ids = inOrder(model, idsFor(model, query), query);
    const health = emptyCounts();
    for (const id of ids) health[model.shown(id).state] += 1;
    return {
      frame: {
        isLoaded: model.isLoaded(),
        rowCount: ids.length,
        totalCount: model.nodes.size,
        health,
        facets: facets(),
      },
      rows: (start, end) => ids.slice(start, end).map((id) => cardOf(model, id, query.hidesHidden)),
    };
  };
}
