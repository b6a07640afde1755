/**
 * The topology as a tree of lines: what is open shows its parts, worst first. Where something is looked for, the lines at
 * the top are the cards that are found. Lines are built for a window alone.
 */
import type { OutlineFrame, OutlineQuery, OutlineRow } from '../../../src/contract/topology-view.ts';
import type { WindowBoard } from '../window-view.ts';
import { childrenOf, lineOf } from './topology-cards.ts';
import { idsFor, isNarrowed } from './topology-filter.ts';
import type { TopologyModel } from './topology-model.ts';
import { inOrder } from './topology-order.ts';

/** Deeper than anybody reads; a tree of circles ends there at the latest. */
const MAX_DEPTH = 100;
/** Parts of a path in a row's key. */
const SEPARATOR = '/';

interface Line {
  id: string;
  /** The ids on the way here: a component may stand under several. */
  key: string;
  level: number;
  position: number;
  setSize: number;
  childCount: number;
  isOpen: boolean;
}

/** Whether a component stands in the way that led to it. */
const isAbove = (key: string, id: string) => key.split(SEPARATOR).includes(id);

function linesOf(model: TopologyModel, query: OutlineQuery): Line[] {
  const toggled = new Set(query.toggled);
  const order = { sortBy: query.sortBy, isDescending: query.isDescending };
  const lines: Line[] = [];
  const partsOf = (id: string, key: string) =>
    childrenOf(model, id, query.hidesHidden).filter((child) => !isAbove(key, child));

  function add(ids: readonly string[], above: string, level: number): void {
    for (const [at, id] of inOrder(model, ids, order).entries()) {
      const key = above === '' ? id : `${above}${SEPARATOR}${id}`;
      const parts = level < MAX_DEPTH ? partsOf(id, key) : [];
      // The component whose tree it is starts open, everything else closed.
      const isOpen = parts.length > 0 && toggled.has(key) !== (id === query.rootId);
      const line = {
        id,
        key,
        level,
        position: at + 1,
        setSize: ids.length,
        childCount: parts.length,
        isOpen,
      };
      lines.push(line);
      if (isOpen) add(parts, key, level + 1);
    }
  }

  if (query.rootId === null || isNarrowed(query)) add(idsFor(model, { ...query, isFlat: false }), '', 1);
  else if (model.nodes.has(query.rootId)) add([query.rootId], '', 1);
  return lines;
}

function rowOf(model: TopologyModel, line: Line): OutlineRow {
  const { key, level, position, setSize, childCount, isOpen } = line;
  return {
    ...lineOf(model, line.id),
    key,
    level,
    position,
    setSize,
    childCount,
    isOpen: childCount === 0 ? null : isOpen,
    status: model.shown(line.id).status,
  };
}

/** Answers one view's questions. */
export function createOutline(
  model: TopologyModel,
): (query: OutlineQuery) => WindowBoard<OutlineFrame, OutlineRow> {
  return (query) => {
    const lines = linesOf(model, query);
    return {
      frame: { isLoaded: model.isLoaded(), rowCount: lines.length, totalCount: model.nodes.size },
      rows: (start, end) => lines.slice(start, end).map((line) => rowOf(model, line)),
    };
  };
}
