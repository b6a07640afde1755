/** Takes the secrets that a run read out of what is stored and shown of it. */
import type { Outcome } from './outcome.ts';

export interface Redactor {
  note(secret: string): void;
  clean(outcome: Outcome): Outcome;
  text(text: string): string;
}

/** Shorter ones are no secrets, and taking them out would tear holes into every text. */
const MIN_LENGTH = 4;
const MASK = '***';

/** One per run. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const cleanText = (text: string) =>
    [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, MASK), text);
  const cleanAny = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (Array.isArray(value)) return value.map(cleanAny);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cleanAny(entry)]));
  };
  return {
    note(secret) {
      if (secret.length >= MIN_LENGTH) secrets.add(secret);
    },
    text: cleanText,
    clean(outcome) {
      if (secrets.size === 0) return outcome;
      return {
        ...outcome,
        message: outcome.message === null ? null : cleanText(outcome.message),
        error: outcome.error === null ? null : cleanText(outcome.error),
        notRun: outcome.notRun === null ? null : cleanText(outcome.notRun),
        detail: cleanAny(outcome.detail),
      };
    },
  };
}
