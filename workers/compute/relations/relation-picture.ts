/**
 * Makes the picture of related items: groups, what can be seen, where it stands. The rules are
 * `domain/catalog/relation-graph`; the places are the layout's, which is kept for as long as what is seen stays
 * the same, so that a change of health moves nothing.
 */
import type {
  GraphDirection,
  PictureEdge,
  PictureNode,
  RelationsPicture,
} from '../../../src/contract/relations.ts';
import { emptyCounts, healthOfWord } from '../../../src/domain/check/health.ts';
import {
  groupChildren,
  isGroupOpen,
  visibleGraph,
  type GroupedChildren,
  type GraphSide,
  type RelationGroup,
  type VisibleGraph,
} from '../../../src/domain/catalog/relation-graph.ts';
import type { Layout, Place } from './graph-layout.ts';
import { rowOf, type RelatedItem, type RelatedLink } from './related-items.ts';
import type { RelationsModel } from './relations-model.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** Design §9. */
const MAX_NODES = 500;

/** What a picture is made of; items and links that pass. */
export interface PictureInput {
  root: RelatedItem;
  items: readonly RelatedItem[];
  links: readonly RelatedLink[];
  direction: GraphDirection;
  toggled: ReadonlySet<string>;
}

interface Shape {
  graph: VisibleGraph;
  sides: readonly GroupedChildren[];
  looks: ReadonlyMap<string, PictureEdge['look']>;
}

const keyOf = (from: string, to: string) => `${from}\n${to}`;

/** The nearest item on the way back that is in the picture. */
function shownBefore(item: RelatedItem, shown: ReadonlySet<string>): RelatedItem | null {
  let before = item.from;
  while (before !== null && !shown.has(before.id)) before = before.from;
  return before;
}

/** Lines that pass, and a line past those that don't for who would hang on nothing. */
function linesOf({ root, items, links }: PictureInput) {
  const shown = new Set([root.id, ...items.map((item) => item.id)]);
  const children: Record<GraphSide, Map<string, string[]>> = { outgoing: new Map(), incoming: new Map() };
  const looks = new Map<string, PictureEdge['look']>();
  const add = (near: string, far: string, line: { side: GraphSide; look: PictureEdge['look'] }) => {
    const { side, look } = line;
    const key = side === 'outgoing' ? keyOf(near, far) : keyOf(far, near);
    if (looks.get(key) !== 'hard') looks.set(key, look);
    addTo(children[side], near, far);
  };
  const reached = new Set<string>();
  for (const { near, far, side, isHard } of links) {
    if (!shown.has(near) || !shown.has(far)) continue;
    add(near, far, { side, look: isHard ? 'hard' : 'soft' });
    if (near !== far) reached.add(far);
  }
  for (const item of items) {
    if (reached.has(item.id)) continue;
    const before = shownBefore(item, shown);
    const side = item.side === 'incoming' ? 'incoming' : 'outgoing';
    if (before !== null) add(before.id, item.id, { side, look: 'through' });
  }
  return { children, looks };
}

function shapeOf(input: PictureInput): Shape {
  const { root, items, toggled } = input;
  const { children, looks } = linesOf(input);
  const types = new Map([root, ...items].map((item) => [item.id, item.facts.type]));
  const sides = (['outgoing', 'incoming'] as const).map((side) =>
    groupChildren({ side, childrenOf: children[side], typeOf: (id) => types.get(id) ?? '' }),
  );
  return { graph: visibleGraph({ rootId: root.id, sides, toggled, limit: MAX_NODES }), sides, looks };
}

/** One for a query, since it remembers the last layout. */
export class PictureMaker {
  private readonly layout: Layout;
  private keptKey = '';
  private keptPlaces: ReadonlyMap<string, Place> = new Map();

  constructor(layout: Layout) {
    this.layout = layout;
  }

  make(model: RelationsModel, input: PictureInput): RelationsPicture {
    const { graph, sides, looks } = shapeOf(input);
    const groups = new Map(sides.flatMap((side) => [...side.groups]));
    const items = new Map([input.root, ...input.items].map((item) => [item.id, item]));
    const places = this.placesOf(graph, groups, input.direction);
    const nodes = graph.ids.map((id): PictureNode => {
      const place = places.get(id) ?? { x: 0, y: 0 };
      const group = groups.get(id);
      if (group !== undefined) return this.groupNode(group, { items, place, toggled: input.toggled });
      const item = items.get(id) ?? input.root;
      const groupIds = sides.flatMap((side) =>
        (side.childrenOf.get(id) ?? []).filter((child) => side.groups.has(child)),
      );
      return { kind: 'item', id, ...place, row: rowOf(model, item), groupIds };
    });
    const edges = graph.edges.map(({ from, to }): PictureEdge => ({
      from,
      to,
      look: looks.get(keyOf(from, to)) ?? 'hard',
    }));
    const shown = graph.ids.filter((id) => !groups.has(id)).length - 1;
    return { direction: input.direction, nodes, edges, shown, cut: graph.cut };
  }

  private groupNode(
    group: RelationGroup,
    at: { items: ReadonlyMap<string, RelatedItem>; place: Place; toggled: ReadonlySet<string> },
  ): PictureNode {
    const health = emptyCounts();
    for (const id of group.memberIds) health[healthOfWord(at.items.get(id)?.facts.health)] += 1;
    const { id, type, memberIds } = group;
    const isExpanded = isGroupOpen(group, at.toggled);
    return { kind: 'group', id, ...at.place, type, count: memberIds.length, health, isExpanded };
  }

  private placesOf(
    graph: VisibleGraph,
    groups: ReadonlyMap<string, RelationGroup>,
    direction: GraphDirection,
  ): ReadonlyMap<string, Place> {
    const key = JSON.stringify([direction, graph.ids, graph.edges]);
    if (key !== this.keptKey) {
      const nodes = graph.ids.map((id) => ({ id, isGroup: groups.has(id) }));
      this.keptPlaces = this.layout({ nodes, edges: graph.edges, direction });
      this.keptKey = key;
    }
    return this.keptPlaces;
  }
}
