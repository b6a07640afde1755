/** What is wrong with a condition before anything is evaluated: its syntax, and functions that there are not. */
import { randomUUID } from 'node:crypto';
import { nodePlatform } from '../platform.ts';
import { createCelEvaluator } from './cel.ts';
import type { CelEvaluator } from './cel.ts';

let checker: CelEvaluator | null = null;

/** Null for one that can be evaluated. Parsed and never run, within the limits of any expression. */
export function celProblem(expression: string): string | null {
  checker ??= createCelEvaluator({ now: () => nodePlatform.now(), uuid: randomUUID });
  return checker.problemOf(expression);
}
