/** Everything that a component's page says of it, from this device's rows. */
import type { ComponentFacts, ComponentLine, ComponentView } from '../../../src/contract/topology-view.ts';
import { asNumber, asText } from '../live/columns.ts';
import { cardOf, lineOf, logsOf, shownProperties, valueOf } from './topology-cards.ts';
import { textsOf } from './component-nodes.ts';
import type { TopologyModel } from './topology-model.ts';

/** From the top down; a circle ends where it closes. */
function ancestorsOf(model: TopologyModel, id: string): ComponentLine[] {
  const above: string[] = [];
  const seen = new Set([id]);
  let parent = model.nodes.get(id)?.component.parent_id ?? null;
  while (parent !== null && !seen.has(parent) && model.nodes.has(parent)) {
    seen.add(parent);
    above.unshift(parent);
    parent = model.nodes.get(parent)?.component.parent_id ?? null;
  }
  return above.map((one) => lineOf(model, one));
}

function alsoUnder(model: TopologyModel, id: string): ComponentLine[] {
  return [...model.nodes.values()]
    .filter(({ component }) => component.children?.includes(id) === true && component.id !== id)
    .map(({ component }) => lineOf(model, component.id));
}

function factsOf(model: TopologyModel, id: string): ComponentFacts {
  const node = model.nodes.get(id);
  const text = (column: string) => asText(valueOf(model, id, column));
  const cost = (column: string) => asNumber(valueOf(model, id, column));
  return {
    ...cardOf(model, id, false),
    properties: shownProperties(model, id),
    moreProperties: 0,
    description: text('description'),
    owner: text('owner'),
    lifecycle: text('lifecycle'),
    tooltip: text('tooltip'),
    externalId: text('external_id'),
    labels: node?.labels ?? {},
    agentId: node?.agentId ?? null,
    topologyId: text('topology_id'),
    configId: text('config_id'),
    teams: node?.teams ?? [],
    checkIds: model.checkIds(id),
    configIds: textsOf(valueOf(model, id, 'config_ids')),
    logs: logsOf(model, id),
    costs: {
      day: cost('cost_total_1d'),
      week: cost('cost_total_7d'),
      month: cost('cost_total_30d'),
    },
    createdAt: text('created_at'),
    ancestors: ancestorsOf(model, id),
    alsoUnder: alsoUnder(model, id),
  };
}

/** See the head of this file. */
export function componentView(model: TopologyModel, id: string): ComponentView {
  const isLoaded = model.isLoaded();
  return { isLoaded, component: isLoaded && model.nodes.has(id) ? factsOf(model, id) : null };
}
