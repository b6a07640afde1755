/** What a card says of a component; built for the window that is looked at alone. */
import type { CardSummary, ComponentLine, TopologyCard } from '../../../src/contract/topology-view.ts';
import { emptyCounts } from '../../../src/domain/check/health.ts';
import type { ComponentSummary } from '../../../src/domain/topology/component.ts';
import { propertiesOf, type ComponentProperty } from '../../../src/domain/topology/property.ts';
import { shownProperty } from '../../../src/domain/topology/property-text.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import { asText } from '../live/columns.ts';
import type { TopologyModel } from './topology-model.ts';
import { worstFirst } from './topology-order.ts';

/** More has its place on the component's own page. */
const MAX_HEADLINES = 6;
const MAX_PROPERTIES = 8;
const MAX_CHILDREN = 6;

/** A column of a component's row. */
export function valueOf(model: TopologyModel, id: string, column: string): unknown {
  const slot = model.table.slotOf(id);
  return slot === undefined ? null : model.table.valueAt(slot, column);
}

/** A component as a line. */
export function lineOf(model: TopologyModel, id: string): ComponentLine {
  const node = model.nodes.get(id);
  return {
    id,
    name: node?.name ?? id,
    type: node?.component.type ?? null,
    icon: asText(valueOf(model, id, 'icon')),
    state: model.shown(id).state,
  };
}

/** What a roll-up adds up to. */
export function summaryOf(summary: ComponentSummary): CardSummary {
  const { healthy = 0, unhealthy = 0, warning = 0, info = 0, checks, incidents, insights } = summary;
  return {
    health: { ...emptyCounts(), healthy, unhealthy, warning, unknown: info },
    checks: checks ?? {},
    incidents: incidents ?? {},
    insights: insights ?? {},
  };
}

const isShown = (property: ComponentProperty) => shownProperty(property) !== null;

/** The properties that are shown, headlines first. */
export function shownProperties(model: TopologyModel, id: string): ComponentProperty[] {
  const all = propertiesOf(valueOf(model, id, 'properties')).filter(isShown);
  return [...all.filter((one) => one.isHeadline), ...all.filter((one) => !one.isHeadline)];
}

function cutProperties(all: readonly ComponentProperty[]): ComponentProperty[] {
  const headlines = all.filter((one) => one.isHeadline).slice(0, MAX_HEADLINES);
  return [...headlines, ...all.filter((one) => !one.isHeadline).slice(0, MAX_PROPERTIES)];
}

/** Names of its log selectors; the first one may have none. */
export function logsOf(model: TopologyModel, id: string): string[] {
  const column = valueOf(model, id, 'logs');
  return Array.isArray(column) ? column.map((selector) => asText(recordOf(selector).name) ?? '') : [];
}

/** Those under it without the ones that a question hides. */
export function childrenOf(model: TopologyModel, id: string, hidesHidden: boolean): string[] {
  return model
    .childIds(id)
    .filter((child) => child !== id && !(hidesHidden && model.nodes.get(child)?.isHidden === true));
}

/** See the head of this file. */
export function cardOf(model: TopologyModel, id: string, hidesHidden: boolean): TopologyCard {
  const node = model.nodes.get(id);
  const properties = shownProperties(model, id);
  const shown = cutProperties(properties);
  const children = childrenOf(model, id, hidesHidden);
  const text = asText(valueOf(model, id, 'text'));
  const parts = emptyCounts();
  for (const child of children) parts[model.shown(child).state] += 1;
  return {
    key: id,
    ...lineOf(model, id),
    text: text === '' || text === node?.name ? null : text,
    namespace: node?.namespace ?? null,
    status: model.shown(id).status,
    reason: asText(valueOf(model, id, 'status_reason')),
    isHidden: node?.isHidden ?? false,
    properties: shown,
    moreProperties: properties.length - shown.length,
    summary: summaryOf(model.rolled(id).summary),
    parts,
    children: worstFirst(model, children)
      .slice(0, MAX_CHILDREN)
      .map((child) => lineOf(model, child)),
    childCount: children.length,
    hasLogs: logsOf(model, id).length > 0,
    updatedAt: asText(valueOf(model, id, 'updated_at')),
  };
}
