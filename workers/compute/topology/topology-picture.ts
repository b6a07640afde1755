/**
 * The picture of a component: what it consists of, and what it stands under. Groups and places are those of the
 * relationship graph (contract §19.5), so that both look the same; the places are kept for as long as what is seen stays
 * the same, so that a change of health moves nothing.
 */
import type {
  ComponentPicture,
  ComponentPictureItem,
  ComponentPictureNode,
  ComponentPictureQuery,
} from '../../../src/contract/topology-view.ts';
import { emptyCounts } from '../../../src/domain/check/health.ts';
import {
  groupChildren,
  isGroupOpen,
  visibleGraph,
  type GroupedChildren,
} from '../../../src/domain/catalog/relation-graph.ts';
import type { Layout, Place } from '../relations/graph-layout.ts';
import { lineOf } from './topology-cards.ts';
import type { TopologyModel } from './topology-model.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** Design §9. */
const MAX_NODES = 500;
/** More are not walked: a picture has room for some hundred. */
const MAX_WALKED = 5000;
const NOWHERE: Place = { x: 0, y: 0 };

/** From a component step by step; each once. */
function walk(rootId: string, stepsFrom: (id: string) => readonly string[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const seen = new Set([rootId]);
  for (const id of seen) {
    const steps = stepsFrom(id).filter((step) => step !== id);
    found.set(id, steps);
    for (const step of steps) if (seen.size < MAX_WALKED) seen.add(step);
  }
  return found;
}

/** Those right above each component: its parent, and those whose selector put it there. */
function parentsOf(model: TopologyModel): (id: string) => readonly string[] {
  const above = new Map<string, string[]>();
  for (const id of model.nodes.keys()) {
    for (const child of model.childIds(id)) {
      addTo(above, child, id);
    }
  }
  return (id) => above.get(id) ?? [];
}

/** One for a query, since it remembers the last layout. */
export class ComponentPictureMaker {
  private readonly layout: Layout;
  private keptKey = '';
  private keptPlaces: ReadonlyMap<string, Place> = new Map();

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /** Null for a component that isn't here. */
  make(
    model: TopologyModel,
    { componentId, direction, isNarrow, toggled }: ComponentPictureQuery,
  ): ComponentPicture | null {
    if (!model.nodes.has(componentId)) return null;
    const children = {
      outgoing: walk(componentId, (id) => model.childIds(id)),
      incoming: walk(componentId, parentsOf(model)),
    };
    const typeOf = (id: string) => model.nodes.get(id)?.component.type ?? '';
    const sides = (['outgoing', 'incoming'] as const).map((side) =>
      groupChildren({ side, childrenOf: children[side], typeOf }),
    );
    const open = new Set(toggled);
    const graph = visibleGraph({ rootId: componentId, sides, toggled: open, limit: MAX_NODES });
    const places = this.placesOf(graph, sides, { direction, isNarrow });
    const parentOf = (id: string) => model.nodes.get(id)?.component.parent_id ?? null;
    const parts = walk(componentId, (id) => model.childIds(id).filter((child) => parentOf(child) === id));
    const sideOf = (id: string): ComponentPictureItem['side'] => {
      if (id === componentId) return 'self';
      if (children.incoming.has(id)) return 'incoming';
      return parts.has(id) ? 'outgoing' : 'related';
    };
    const nodes = graph.ids.map((id) =>
      this.nodeOf(model, id, {
        sides,
        open,
        place: places.get(id) ?? NOWHERE,
        side: sideOf(id),
      }),
    );
    const isRelated = (from: string, to: string) => parentOf(to) !== from;
    const isGroup = (id: string) => sides.some(({ groups }) => groups.has(id));
    return {
      direction,
      isNarrow,
      nodes,
      edges: graph.edges.map(({ from, to }) => ({
        from,
        to,
        look: !isGroup(from) && !isGroup(to) && isRelated(from, to) ? 'soft' : 'hard',
      })),
      total: new Set([...children.outgoing.keys(), ...children.incoming.keys()]).size - 1,
      shown: graph.ids.filter((id) => !isGroup(id)).length - 1,
      cut: graph.cut,
    };
  }

  private nodeOf(
    model: TopologyModel,
    id: string,
    at: {
      sides: readonly GroupedChildren[];
      open: ReadonlySet<string>;
      place: Place;
      side: ComponentPictureItem['side'];
    },
  ): ComponentPictureNode {
    const { sides, open, place, side } = at;
    const group = sides.flatMap(({ groups }) => groups.get(id) ?? [])[0];
    if (group === undefined) {
      const groupIds = sides.flatMap(({ childrenOf, groups }) =>
        (childrenOf.get(id) ?? []).filter((child) => groups.has(child)),
      );
      return {
        kind: 'item',
        id,
        ...place,
        line: lineOf(model, id),
        status: model.shown(id).status,
        side,
        groupIds,
      };
    }
    const health = emptyCounts();
    for (const member of group.memberIds) health[model.shown(member).state] += 1;
    const { type, memberIds } = group;
    const isExpanded = isGroupOpen(group, open);
    return { kind: 'group', id, ...place, type, count: memberIds.length, health, isExpanded };
  }

  private placesOf(
    graph: { ids: readonly string[]; edges: readonly { from: string; to: string }[] },
    sides: readonly GroupedChildren[],
    look: Pick<ComponentPictureQuery, 'direction' | 'isNarrow'>,
  ): ReadonlyMap<string, Place> {
    const key = JSON.stringify([look, graph.ids, graph.edges]);
    if (key === this.keptKey) return this.keptPlaces;
    const nodes = graph.ids.map((id) => ({ id, isGroup: sides.some(({ groups }) => groups.has(id)) }));
    this.keptPlaces = this.layout({ nodes, edges: graph.edges, ...look });
    this.keptKey = key;
    return this.keptPlaces;
  }
}
