/** Values of the wire as words; one that this version doesn't know stays as it is. */
import { messages } from './messages.ts';

type Vocabulary = keyof typeof messages.words;

/** A value in words. */
export function wordFor(vocabulary: Vocabulary, value: string): string {
  const words: Readonly<Record<string, string>> = messages.words[vocabulary];
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}

/** Values as options of a choice; the present one is offered even when it is not among them. */
export function optionsFor(
  vocabulary: Vocabulary,
  values: readonly string[],
  present?: string,
): { value: string; label: string }[] {
  const all = present === undefined || values.includes(present) ? values : [present, ...values];
  return all.map((value) => ({ value, label: wordFor(vocabulary, value) }));
}
