/** What is searched for in logs: words that a line must all have, in any case; what stands in quotes is one of them. */
const WORD = /"([^"]*)"?|(\S+)/g;
const MAX_WORDS = 20;

/** In lower case, without empty ones, each once. */
export function searchWords(query: string): string[] {
  const found = [...query.matchAll(WORD)].map(([, quoted, plain]) => (quoted ?? plain ?? '').toLowerCase());
  return [...new Set(found.filter((word) => word.trim() !== ''))].slice(0, MAX_WORDS);
}

/** What is looked through: the message and the values of the labels, in lower case. */
export function searchableText(message: string, labels: Readonly<Record<string, string>>): string {
  const values = Object.values(labels);
  return (values.length === 0 ? message : `${message}\n${values.join('\n')}`).toLowerCase();
}

/** Whether a text in lower case has all the words. */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
