/** `$(labels.app)`, `$(id)`, `$(name)`, `$(type)`, `$(namespace)` of a backend's specification (docs/logs.md). */
import { AppError } from '../../../src/contract/errors.ts';
import type { LogQuestion } from './log-backend.ts';

const PLACEHOLDER = /\$\((labels\.[^()\s]+|[a-z]+)\)/g;

/** What a placeholder is while a backend is tried. */
export const ANYTHING = 'anything';

export interface Filled {
  text: string;
  /** Labels that stand in it. */
  held: string[];
}

function valueOf(name: string, question: LogQuestion): string | null {
  if (name.startsWith('labels.')) return question.labels[name.slice('labels.'.length)] ?? null;
  if (name === 'id' || name === 'name' || name === 'type' || name === 'namespace') return question[name];
  return null;
}

/**
 * The text with its placeholders filled in, each as `write` writes it. Throws for one that the selector says nothing
 * of: an empty place would be another place.
 */
export function filledIn(
  field: string,
  text: string,
  { question, write }: { question: LogQuestion; write: (value: string, name: string) => string },
): Filled {
  const held: string[] = [];
  const filled = text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const value = question.isTrial === true ? ANYTHING : valueOf(name, question);
    if (value === null || value === '')
      throw new AppError(
        'invalid',
        `${field}: ${whole} is asked for, and the log selector says nothing of it`,
      );
    if (name.startsWith('labels.')) held.push(name.slice('labels.'.length));
    return write(value, name);
  });
  return { text: filled, held };
}

/** A value as one part of a path; throws for one that would lead elsewhere, or match more than itself. */
export function pathPart(field: string, value: string): string {
  if (/[/\\\0]/.test(value) || /^\.{1,2}$/.test(value))
    throw new AppError('forbidden', `${field}: "${value.slice(0, 100)}" would lead to another folder`);
  return value.replaceAll(/[$*?[\]{}()!+@|,^]/g, String.raw`\$&`);
}
