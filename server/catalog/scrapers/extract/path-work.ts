/**
 * How many places of a document a JSONPath looks at, at most. `..` below `..`, unions and steps back up (`^`) come to the
 * same place again and again: three of them hold a server for a minute over three hundred items.
 */
import { JSONPath } from 'jsonpath-plus';
import { AppError } from '../../../../src/contract/errors.ts';

/** About a second. */
const MAX_PLACES = 1_000_000;
/** One `..` looks at the whole document, however large that is. */
const MAX_TIMES = 4;

/** Only these can come to one place twice. */
const COMES_BACK = /\.\.|\^|,/;

interface Shape {
  /** Values in it, with itself. */
  places: number;
  /** Levels below it. */
  depth: number;
  /** Values directly below one. */
  width: number;
}

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function shapeOf(document: unknown): Shape {
  const shape = { places: 0, depth: -1, width: 1 };
  for (let level = [document]; level.length > 0; level = level.flatMap(childrenOf)) {
    shape.depth += 1;
    shape.places += level.length;
    for (const value of level) shape.width = Math.max(shape.width, childrenOf(value).length);
  }
  return shape;
}

/** The places that the longest step of the path looks at, each as often as it does. */
export function mostPlaces(path: string, document: unknown): number {
  const { places, depth, width } = shapeOf(document);
  // How many are found so far, and how often the same one at most.
  let found = 1;
  let times = 1;
  let most = 1;
  for (const step of JSONPath.toPathArray(path).slice(1)) {
    const parts = step.split(',').length;
    if (step === '..') {
      times = Math.min(times * (depth + 1), found);
      found = times * places;
    } else if (step === '^') {
      times = Math.min(times * width, found);
    } else {
      times *= parts;
      found = Math.min(found * parts * width, times * places);
    }
    most = Math.max(most, found);
  }
  return most;
}

/** Throws for a path that looks at far more places than the document has. */
export function refuseEndlessPath(path: string, document: unknown): void {
  if (!COMES_BACK.test(path)) return;
  const most = mostPlaces(path, document);
  if (most <= MAX_PLACES) return;
  const { places } = shapeOf(document);
  if (most <= MAX_TIMES * places) return;
  throw new AppError(
    'invalid',
    `${path}: looks at the same places of the document too often; name the fields instead of using .. or ^ again`,
  );
}
