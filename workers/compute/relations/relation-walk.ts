/**
 * Walks the relations of an item like the server's related_configs_recursive (schema §2; contract §6.3): breadth
 * first, each item looked at once, so that cycles end. Only links are walked here: which items are shown is
 * decided by who asks.
 */
import type { RelationLinks } from './relation-links.ts';

export type Relation = 'hard' | 'both';
export type StepSide = 'outgoing' | 'incoming' | 'path';

export interface WalkOptions {
  /** The item's number. */
  start: number;
  typeFilter: 'outgoing' | 'incoming' | 'all';
  maxDepth: number;
  incomingRelation: Relation;
  outgoingRelation: Relation;
  /** From the nearest ancestor to the root, by the item's path. */
  ancestors: readonly number[];
}

/** One link on the way: `near` was reached before `far`, whatever the link's own direction. */
export interface Step {
  near: number;
  far: number;
  depth: number;
  side: StepSide;
  isHard: boolean;
}

/** Every link that is met, nearest first on each side. */
export function walkRelations(links: RelationLinks, options: WalkOptions): Step[] {
  const { start, typeFilter, maxDepth } = options;
  const steps: Step[] = [];
  const walk = (side: 'outgoing' | 'incoming', relation: Relation) => {
    const seen = new Set([start]);
    let frontier = [start];
    for (let depth = 1; depth <= maxDepth && frontier.length > 0; depth += 1) {
      const reached: number[] = [];
      for (const near of frontier) {
        links.visit(near, side, (far, isHard) => {
          if (relation === 'hard' && !isHard) return;
          steps.push({ near, far, depth, side, isHard });
          if (seen.has(far)) return;
          seen.add(far);
          reached.push(far);
        });
      }
      frontier = reached;
    }
  };
  if (typeFilter !== 'incoming') walk('outgoing', options.outgoingRelation);
  if (typeFilter !== 'outgoing') walk('incoming', options.incomingRelation);
  let near = start;
  for (const [at, far] of options.ancestors.entries()) {
    steps.push({ near, far, depth: at + 1, side: 'path', isHard: true });
    near = far;
  }
  return steps;
}
