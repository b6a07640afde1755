/** Parses a question about relations; by hand for the same reason as parse-question.ts. */
import { isRecord } from '../../../src/lib/is-record.ts';
import type {
  GraphDirection,
  RelationsFace,
  RelationsQuestion,
  RelationSort,
} from '../../../src/contract/relations.ts';
import type { TriState } from '../../../src/domain/tri-state.ts';
import { flag, parseWindow, refuse, text } from '../question-fields.ts';
import { MAX_DEPTH } from './related-items.ts';

const SORTS: Record<RelationSort, true> = {
  tree: true,
  name: true,
  type: true,
  status: true,
  health: true,
  changes: true,
  depth: true,
};

function triState(value: unknown, field: string): TriState {
  if (!isRecord(value)) return refuse(field);
  return Object.fromEntries(
    Object.entries(value).map(([key, sign]) => [key, sign === 1 || sign === -1 ? sign : refuse(field)]),
  );
}

function isSort(value: string): value is RelationSort {
  return Object.hasOwn(SORTS, value);
}

function directionOf(value: unknown): GraphDirection {
  return value === 'LR' || value === 'TB' ? value : refuse('direction');
}

function faceOf(value: unknown): RelationsFace {
  if (!isRecord(value)) return refuse('face');
  if (value.kind === 'graph') {
    if (!Array.isArray(value.toggled)) return refuse('toggled');
    const toggled = value.toggled.map((id) => text(id, 'toggled'));
    return { kind: 'graph', direction: directionOf(value.direction), toggled };
  }
  if (value.kind !== 'table') return refuse('face');
  const sortBy = text(value.sortBy, 'sortBy');
  return {
    kind: 'table',
    window: parseWindow(value.window),
    sortBy: isSort(sortBy) ? sortBy : refuse('sortBy'),
    isDescending: flag(value.isDescending, 'isDescending'),
  };
}

function depthOf(value: unknown): number {
  const isDepth = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DEPTH;
  return isDepth ? value : refuse('maxDepth');
}

/** A question about relations, or an error that names the field. */
export function parseRelationsQuestion(value: unknown): RelationsQuestion {
  if (!isRecord(value)) return refuse('form');
  const { tag } = value;
  return {
    configId: text(value.configId, 'configId'),
    isIncoming: flag(value.isIncoming, 'isIncoming'),
    isOutgoing: flag(value.isOutgoing, 'isOutgoing'),
    isSoft: flag(value.isSoft, 'isSoft'),
    maxDepth: depthOf(value.maxDepth),
    hidesDeleted: flag(value.hidesDeleted, 'hidesDeleted'),
    types: triState(value.types, 'types'),
    labels: triState(value.labels, 'labels'),
    statuses: triState(value.statuses, 'statuses'),
    healths: triState(value.healths, 'healths'),
    tag: isRecord(tag) ? { key: text(tag.key, 'tag'), value: text(tag.value, 'tag') } : null,
    face: faceOf(value.face),
  };
}
