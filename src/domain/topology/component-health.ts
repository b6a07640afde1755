/**
 * How a component is, as every screen shows it: one state for the mark and its word. Its health says so; where nobody
 * judged that, its status does, if that is a word of health. What a status says besides ("CrashLoopBackOff") is shown
 * beside it; a status that is a word of health never stands next to a mark that says something else.
 */
import { healthOfWord, type HealthState } from '../check/health.ts';
import type { RolledUp } from './component.ts';

const HEALTH_WORDS = new Set([
  'healthy',
  'unhealthy',
  'warning',
  'unknown',
  'degraded',
  'missing',
  'suspended',
  'mixed',
  'error',
]);

export interface ShownHealth {
  state: HealthState;
  /** What the status says besides; null when it says nothing else. */
  status: string | null;
}

/** Whether a status says how something is. */
export const isHealthWord = (text: string): boolean => HEALTH_WORDS.has(text.toLowerCase());
const stateOf = (word: string | null) => (word?.toLowerCase() === 'error' ? 'unhealthy' : healthOfWord(word));
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

/** The state and the other text of a component or item, from its row. */
export function shownHealth(row: { health?: unknown; status?: unknown }): ShownHealth {
  const health = textOf(row.health);
  const status = textOf(row.status);
  const isStatusWord = status !== null && isHealthWord(status);
  const word = health ?? (isStatusWord ? status : null);
  const state = stateOf(word);
  const saysNothingElse =
    isStatusWord && (stateOf(status) !== state || status.toLowerCase() === word?.toLowerCase());
  return { state, status: saysNothingElse ? null : status };
}

type OwnState = Parameters<typeof shownHealth>[0];

/**
 * Its health with everything under it (schema §6.5). A roll-up calls healthy whatever has nothing ill in it; where
 * nobody judged anything at all that is not known: null.
 */
export function judgedHealth({ summary, health, isHealthSaid }: RolledUp, own: OwnState): string | null {
  const isJudged =
    isHealthSaid ||
    health !== 'healthy' ||
    (summary.healthy ?? 0) > 0 ||
    (summary.checks?.['healthy'] ?? 0) > 0 ||
    shownHealth(own).state === 'healthy';
  return isJudged ? health : null;
}

/** The same as a screen shows it: never healthy where nobody judged it. */
export function shownRollUp(rolled: RolledUp, own: OwnState): ShownHealth {
  return shownHealth({ health: judgedHealth(rolled, own) ?? 'unknown', status: rolled.status });
}
