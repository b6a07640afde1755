/**
 * The items that are related to one, out of the model: how far away, on which side, reached through which. The
 * walk is always made to the full depth, so that what a smaller depth hides can be counted.
 */
import type { RelationRow, RelationSide } from '../../../src/contract/relations.ts';
import type { ConfigFacts } from './config-facts.ts';
import { walkRelations, type Step } from './relation-walk.ts';
import type { RelationsModel } from './relations-model.ts';

export const MAX_DEPTH = 10;

/** Stands for an item that isn't on this device, or is gone for good: it is on the way, but never shown. */
const ABSENT: ConfigFacts = {
  name: '',
  type: '',
  status: null,
  health: null,
  labels: {},
  tags: {},
  deletedAt: null,
  path: '',
};

/** What the walk needs of the model. */
export type RelationsSource = Pick<RelationsModel, 'relations' | 'factsOf'>;

export interface RelatedItem {
  id: string;
  facts: ConfigFacts;
  depth: number;
  side: RelationSide;
  /** On the path to the root: shown at any depth (contract §6.3). */
  isAncestor: boolean;
  /** Reached from it first; null for the item itself. */
  from: RelatedItem | null;
}

export interface RelatedLink {
  near: string;
  far: string;
  depth: number;
  side: 'outgoing' | 'incoming';
  isPath: boolean;
  isHard: boolean;
}

export interface Related {
  root: RelatedItem;
  /** Without the item itself, nearest first. */
  items: RelatedItem[];
  /** Also to and from items that aren't shown. */
  links: RelatedLink[];
}

export interface RelatedQuestion {
  configId: string;
  isIncoming: boolean;
  isOutgoing: boolean;
  isSoft: boolean;
}

/** From the nearest ancestor to the root; a path that names the item itself is read as if it didn't. */
function ancestorsOf(configId: string, path: string): string[] {
  return path
    .split('.')
    .filter((id) => id !== '' && id !== configId)
    .toReversed();
}

function stepsOf(model: RelationsSource, question: RelatedQuestion, path: string): Step[] {
  const { relations } = model;
  const { isIncoming, isOutgoing, isSoft } = question;
  const relation = isSoft ? 'both' : 'hard';
  return walkRelations(relations, {
    start: relations.numberOf(question.configId),
    typeFilter: isIncoming ? (isOutgoing ? 'all' : 'incoming') : 'outgoing',
    maxDepth: MAX_DEPTH,
    incomingRelation: relation,
    outgoingRelation: relation,
    ancestors: ancestorsOf(question.configId, path).map((id) => relations.numberOf(id)),
  });
}

function nameSide(known: RelationSide, side: 'outgoing' | 'incoming'): RelationSide {
  return known === side || known === 'self' ? known : 'both';
}

/** What is related to the item, or null when the item isn't on this device. */
export function relatedTo(model: RelationsSource, question: RelatedQuestion): Related | null {
  const rootFacts = model.factsOf(question.configId);
  if (rootFacts === undefined) return null;
  const root: RelatedItem = {
    id: question.configId,
    facts: rootFacts,
    depth: 0,
    side: 'self',
    isAncestor: false,
    from: null,
  };
  const known = new Map<string, RelatedItem>([[root.id, root]]);
  const links: RelatedLink[] = [];
  const { relations } = model;
  // Level by level over both sides: the nearest way to an item is the first.
  const steps = stepsOf(model, question, rootFacts.path).toSorted((a, b) => a.depth - b.depth);
  for (const step of steps) {
    const [near, far] = [relations.idOf(step.near), relations.idOf(step.far)];
    const side = step.side === 'outgoing' ? 'outgoing' : 'incoming';
    const { depth, isHard } = step;
    const isPath = step.side === 'path';
    links.push({ near, far, depth, side, isPath, isHard });
    const item = known.get(far);
    if (item !== undefined) {
      item.side = nameSide(item.side, side);
      item.isAncestor ||= isPath;
      continue;
    }
    const facts = model.factsOf(far) ?? ABSENT;
    known.set(far, { id: far, facts, depth, side, isAncestor: isPath, from: known.get(near) ?? root });
  }
  known.delete(root.id);
  return { root, items: [...known.values()].filter(({ facts }) => facts !== ABSENT), links };
}

/** The item as it crosses to the page. */
export function rowOf(model: RelationsModel, { id, facts, depth, side }: RelatedItem): RelationRow {
  const { name, type, status, health, tags, deletedAt } = facts;
  return { id, name, type, status, health, tags, changes: model.changesOf(id), deletedAt, depth, side };
}

/** The related items and links that are near enough. */
export function upTo({ items, links }: Related, maxDepth: number): Pick<Related, 'items' | 'links'> {
  return {
    items: items.filter((item) => item.depth <= maxDepth || item.isAncestor),
    links: links.filter((link) => link.depth <= maxDepth || link.isPath),
  };
}
