/**
 * The components of the attached store with their roll-up, in memory for as long as somebody looks. It knows no
 * question. What a row says is taken once; a changed row costs what stands above it.
 * Invariant: nothing is answered before the first load of components and of checks is in (design §4 law 10).
 */
import { childIdsOf, type ChildIds } from '../../../src/domain/topology/child-ids.ts';
import type { Component, Counts, RolledUp } from '../../../src/domain/topology/component.ts';
import { shownRollUp } from '../../../src/domain/topology/component-health.ts';
import { createLiveRollUp, type LiveRollUp } from '../../../src/domain/topology/live-roll-up.ts';
import type { EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { checksNow, nodeOf, type CheckStateOf, type ComponentNode } from './component-nodes.ts';

const CHECK_RANKS = { unhealthy: 0, warning: 1, unknown: 2, healthy: 3 } as const;
const NOTHING: RolledUp = { summary: {}, health: 'unknown', status: 'unknown', isHealthSaid: false };

/** Expressions are evaluated on the server, which stores what they say. */
const asStored = ({ judged_health: health, judged_status: status }: Component) => ({
  health: health || null,
  status: status || null,
});

type Joined = ReturnType<LiveQueries['attend']>;

/** The checks of this device, as the health screens judge them. */
export interface ChecksOfDevice {
  /** False until they were read: until then what the server counted would be taken for how they are. */
  isLoaded: () => boolean;
  stateOf: CheckStateOf;
  /** Calls when any may be in another state, also by the passing of time; answers how to stop. */
  follow: (refresh: () => void) => () => void;
}

type Shown = ReturnType<typeof shownRollUp>;

/** What is worked out of all rows, for as long as none of them comes or goes. */
interface Tree {
  /** How components are, by id, of those that were asked about since they changed: each key asks about all. */
  shown: Map<string, Shown>;
  nodes: Map<string, ComponentNode>;
  rollUp: LiveRollUp;
  childIds: ChildIds;
  /** Those under no other, in no order that matters. */
  rootIds: readonly string[];
}

function rootsOf(nodes: ReadonlyMap<string, ComponentNode>): string[] {
  return [...nodes].flatMap(([id, { component }]) =>
    // What stands under a component that isn't here would be nowhere.
    component.parent_id === null || component.parent_id === id || !nodes.has(component.parent_id) ? [id] : [],
  );
}

/** The ids of components that go round in a circle of parents without any root; the first of each stands for all. */
function lostRoots(
  nodes: ReadonlyMap<string, ComponentNode>,
  rootIds: readonly string[],
  childIds: ChildIds,
) {
  const reached = new Set(rootIds);
  for (const id of reached) for (const child of childIds.get(id) ?? []) reached.add(child);
  const lost: string[] = [];
  for (const id of nodes.keys()) {
    if (reached.has(id)) continue;
    lost.push(id);
    const under = new Set([id]);
    for (const one of under) for (const child of childIds.get(one) ?? []) under.add(child);
    for (const one of under) reached.add(one);
  }
  return lost;
}

/** One for the worker while somebody asks; `leave` it to let its memory go. */
export class TopologyModel {
  /** Rises with every change. */
  version = 0;
  private readonly joined: Joined;
  private readonly checks: ChecksOfDevice;
  private readonly leaveChecks: () => void;
  private readonly onChange: () => void;
  private tree: Tree | null = null;
  private changes: EntryChange[] = [];
  private hasChecks: boolean;

  constructor(live: Pick<LiveQueries, 'attend'>, checks: ChecksOfDevice, onChange: () => void) {
    this.checks = checks;
    this.onChange = onChange;
    this.hasChecks = checks.isLoaded();
    this.leaveChecks = checks.follow(() => this.hearChecks());
    this.joined = live.attend('components', {
      hear: (changes) => {
        this.version += 1;
        if (changes === null) this.tree = null;
        else if (this.tree !== null) this.changes.push(...changes);
        onChange();
      },
      refresh: () => {},
    });
  }

  leave(): void {
    this.joined.leave();
    this.leaveChecks();
  }

  isLoaded(): boolean {
    return this.joined.source.isLoaded() && this.checks.isLoaded();
  }

  get table(): RowTable {
    return this.joined.source.index.table;
  }

  get nodes(): ReadonlyMap<string, ComponentNode> {
    return this.current().nodes;
  }

  get rootIds(): readonly string[] {
    return this.current().rootIds;
  }

  childIds(id: string): readonly string[] {
    return this.current().childIds.get(id) ?? [];
  }

  rolled(id: string): RolledUp {
    return this.current().rollUp.get(id) ?? NOTHING;
  }

  /** How it is, and what its status says besides. */
  shown(id: string): Shown {
    const { nodes, shown } = this.current();
    const known = shown.get(id);
    if (known !== undefined) return known;
    const found = shownRollUp(this.rolled(id), nodes.get(id)?.component ?? {});
    shown.set(id, found);
    return found;
  }

  /** Its checks, the worst first: who opens a long list wants those. */
  checkIds(id: string): readonly string[] {
    const { checkIds = [] } = this.current().nodes.get(id) ?? {};
    const rankOf = (check: string) => CHECK_RANKS[this.checks.stateOf(check) ?? 'unknown'];
    return checkIds.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  private current(): Tree {
    if (this.tree === null) this.tree = this.build();
    else if (this.changes.length > 0) this.tree = this.updated(this.tree);
    this.changes = [];
    return this.tree;
  }

  private hearChecks(): void {
    const hadChecks = this.hasChecks;
    this.hasChecks = this.checks.isLoaded();
    if (!this.countChecks() && this.hasChecks === hadChecks) return;
    this.version += 1;
    this.onChange();
  }

  /** A check turned, or its next run is overdue: what it belongs to follows, before the server says so. */
  private countChecks(): boolean {
    if (this.tree === null) return false;
    const { nodes, rollUp, shown } = this.current();
    const set: Component[] = [];
    for (const [id, node] of nodes) {
      if (node.checkIds.length === 0) continue;
      const checks = checksNow(node.countedChecks, node.checkIds, this.checks.stateOf);
      if (isSameCounts(checks, node.component.checks)) continue;
      const component = { ...node.component, checks };
      nodes.set(id, { ...node, component });
      set.push(component);
    }
    for (const id of rollUp.update({ set })) shown.delete(id);
    for (const { id } of set) shown.delete(id);
    return set.length > 0;
  }

  private build(): Tree {
    const nodes = new Map<string, ComponentNode>();
    const { table } = this;
    for (const slot of table.takenSlots()) {
      const row = table.rowAt(slot);
      if (row !== null) nodes.set(row.id, nodeOf(row, this.checks.stateOf));
    }
    const components = Array.from(nodes.values(), ({ component }) => component);
    const childIds = childIdsOf(components);
    return {
      shown: new Map(),
      nodes,
      rollUp: createLiveRollUp(components, asStored, childIds),
      ...this.shape(nodes, childIds),
    };
  }

  private shape(nodes: ReadonlyMap<string, ComponentNode>, childIds: ChildIds) {
    const roots = rootsOf(nodes);
    return { childIds, rootIds: [...roots, ...lostRoots(nodes, roots, childIds)] };
  }

  /** Takes the changes in that came since. */
  private updated(tree: Tree): Tree {
    const { nodes, rollUp, shown } = tree;
    const set = new Map<string, Component>();
    const removed = new Set<string>();
    let isSameShape = true;
    for (const { before, after } of this.changes) {
      const id = after?.row.id ?? before?.row.id ?? '';
      set.delete(id);
      removed.delete(id);
      if (after === null) {
        nodes.delete(id);
        removed.add(id);
        isSameShape = false;
        continue;
      }
      const known = nodes.get(id);
      const node = nodeOf(after.row, this.checks.stateOf);
      nodes.set(id, node);
      set.set(id, node.component);
      isSameShape &&= known !== undefined && standsWhere(known.component, node.component);
    }
    const changed = rollUp.update({ set: [...set.values()], removed: [...removed] });
    for (const ids of [changed, set.keys(), removed]) for (const id of ids) shown.delete(id);
    if (isSameShape) return tree;
    const childIds = childIdsOf(Array.from(nodes.values(), ({ component }) => component));
    return { shown, nodes, rollUp, ...this.shape(nodes, childIds) };
  }
}

function isSameCounts(a: Counts | null, b: Counts | null): boolean {
  if (a === b) return true;
  const [left, right] = [Object.entries(a ?? {}), Object.entries(b ?? {})];
  return left.length === right.length && left.every(([key, count]) => b?.[key] === count);
}

/** Whether both stand under and above the same components. */
function standsWhere(a: Component, b: Component): boolean {
  return a.parent_id === b.parent_id && JSON.stringify(a.children) === JSON.stringify(b.children);
}
