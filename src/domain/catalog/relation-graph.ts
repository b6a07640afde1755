/**
 * How related items become a picture that can be read (contract §19.5; spec 3 §2 'Relationships and insights'):
 * many of a type gather in a group, groups of the same items are one, and what lies behind a closed group is out
 * of sight. Pure; knows ids and types alone.
 * Invariants: no id is in a picture twice; the item that is looked at is always in it; cycles end.
 */
import { groupBy } from '../../lib/group-by.ts';

/** So many of a type get a group; fewer than two children are never grouped. */
const GROUP_FROM = 3;
const GROUPING_FROM = 2;
/** A group of at most so many starts open. */
const STARTS_OPEN_UP_TO = 3;

export type GraphSide = 'outgoing' | 'incoming';

/** For each id those that are one step further away from the item that is looked at. */
export type ChildrenOf = ReadonlyMap<string, readonly string[]>;

export interface RelationGroup {
  id: string;
  side: GraphSide;
  type: string;
  /** Items that it hangs on. */
  ownerIds: string[];
  memberIds: readonly string[];
}

/** The children with groups among them. */
export interface GroupedChildren {
  side: GraphSide;
  childrenOf: Map<string, string[]>;
  groups: Map<string, RelationGroup>;
}

interface GroupInput {
  side: GraphSide;
  childrenOf: ChildrenOf;
  typeOf: (id: string) => string;
}

/** Groups of the same members, each list in the order of their owners. */
class SameGroups {
  private readonly groups = new Map<string, RelationGroup>();

  add(group: RelationGroup): RelationGroup {
    const key = JSON.stringify(group.memberIds.toSorted());
    const same = this.groups.get(key);
    if (same === undefined) {
      this.groups.set(key, group);
      return group;
    }
    same.ownerIds.push(...group.ownerIds);
    same.id = `${same.id}-combined-with-${group.id}`;
    return same;
  }

  all(): RelationGroup[] {
    return [...this.groups.values()];
  }
}

/** Gathers the children of each item by type. */
export function groupChildren({ side, childrenOf, typeOf }: GroupInput): GroupedChildren {
  const same = new SameGroups();
  const parts = new Map<string, (string | RelationGroup)[]>();
  const suffix = side === 'outgoing' ? 'intermediary' : 'incoming-intermediary';
  for (const [id, all] of childrenOf) {
    const children = [...new Set(all)].filter((child) => child !== id);
    const types = children.length < GROUPING_FROM ? null : groupBy(children, typeOf);
    const own: (string | RelationGroup)[] = [];
    for (const [type, memberIds] of types ?? [['', children] as const]) {
      if (types === null || memberIds.length < GROUP_FROM) own.push(...memberIds);
      else own.push(same.add({ id: `${id}-${type}-${suffix}`, side, type, ownerIds: [id], memberIds }));
    }
    parts.set(id, own);
  }
  // Ids are settled only now: merging lengthens them.
  const grouped = new Map<string, string[]>();
  for (const [id, own] of parts)
    grouped.set(
      id,
      own.map((part) => (typeof part === 'string' ? part : part.id)),
    );
  return { side, childrenOf: grouped, groups: new Map(same.all().map((group) => [group.id, group])) };
}

/** Whether a group is open: as it starts, or the other way round once it was pressed. */
export function isGroupOpen(group: RelationGroup, toggled: ReadonlySet<string>): boolean {
  return group.memberIds.length <= STARTS_OPEN_UP_TO !== toggled.has(group.id);
}

/** A line of the picture, in the direction of the relation. */
export interface VisibleEdge {
  from: string;
  to: string;
}

export interface VisibleGraph {
  /** Items and groups, nearest first. */
  ids: string[];
  edges: VisibleEdge[];
  /** Found, but without room. */
  cut: number;
}

interface VisibleInput {
  rootId: string;
  sides: readonly GroupedChildren[];
  toggled: ReadonlySet<string>;
  /** Nodes of a picture at most. */
  limit: number;
}

function openChildren(id: string, side: GroupedChildren, toggled: ReadonlySet<string>): readonly string[] {
  const group = side.groups.get(id);
  if (group === undefined) return side.childrenOf.get(id) ?? [];
  return isGroupOpen(group, toggled) ? group.memberIds : [];
}

/** What can be reached from an item or group in one step. */
function stepsFrom(id: string, { sides, toggled }: VisibleInput): { child: string; side: GraphSide }[] {
  return sides.flatMap((grouped) =>
    openChildren(id, grouped, toggled).map((child) => ({ child, side: grouped.side })),
  );
}

/** What can be seen from the item through open groups, nearest first, and the lines between. */
export function visibleGraph(input: VisibleInput): VisibleGraph {
  const { rootId, limit } = input;
  const seen = new Set([rootId]);
  const found = new Set([rootId]);
  // A set is walked in the order in which it grows: nearest first.
  for (const id of seen) {
    for (const { child } of stepsFrom(id, input)) {
      found.add(child);
      if (seen.size < limit) seen.add(child);
    }
  }
  const edges = new Map<string, VisibleEdge>();
  for (const id of seen) {
    for (const { child, side } of stepsFrom(id, input)) {
      if (!seen.has(child)) continue;
      const edge = side === 'outgoing' ? { from: id, to: child } : { from: child, to: id };
      edges.set(`${edge.from}\n${edge.to}`, edge);
    }
  }
  return { ids: [...seen], edges: [...edges.values()], cut: found.size - seen.size };
}
