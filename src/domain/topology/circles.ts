/**
 * The order in which a graph of components is summed up: children before parents. Components that reach each other
 * (selectors may go in a circle) come as one group. Tarjan's algorithm without recursion: a chain of 10,000 components
 * does not end the stack.
 */

interface Frame {
  node: number;
  nextChild: number;
}

/** Groups of node numbers, those under others first; a group of one is a component that is in no circle. */
export function childrenFirst(childrenOf: readonly (readonly number[])[]): number[][] {
  const count = childrenOf.length;
  const seenAt = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const groups: number[][] = [];
  let clock = 0;

  const enter = (node: number): Frame => {
    seenAt[node] = clock;
    lowest[node] = clock;
    clock += 1;
    open.push(node);
    isOpen[node] = 1;
    return { node, nextChild: 0 };
  };

  const lower = (node: number, to: number) => {
    if (to < (lowest[node] ?? 0)) lowest[node] = to;
  };

  /** Everything that was entered since this node, and not yet closed, reaches it and is reached by it. */
  const close = (node: number) => {
    const group: number[] = [];
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen[last] = 0;
      group.push(last);
      if (last === node) break;
    }
    groups.push(group);
  };

  /** Looks at the next child of the frame; answers the frame to go on with, or null when the node is done. */
  const step = (frame: Frame): Frame | null => {
    const child = childrenOf[frame.node]?.[frame.nextChild];
    if (child === undefined) return null;
    frame.nextChild += 1;
    if (seenAt[child] === -1) return enter(child);
    if (isOpen[child] === 1) lower(frame.node, seenAt[child] ?? 0);
    return frame;
  };

  for (let start = 0; start < count; start += 1) {
    if (seenAt[start] !== -1) continue;
    const path = [enter(start)];
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const next = step(frame);
      if (next === frame) continue;
      if (next !== null) {
        path.push(next);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) lower(above.node, lowest[frame.node] ?? 0);
      if (lowest[frame.node] === seenAt[frame.node]) close(frame.node);
    }
  }
  return groups;
}
