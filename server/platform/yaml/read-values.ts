/** The values of a YAML text, without what would make objects of code. */
import { yamlDocuments, yamlValue } from '../../../src/lib/read-yaml.ts';

/** What the thread for long texts says. */
export type ReadAnswer = { ok: true; values: unknown[] } | { ok: false; reason: string };

/** Of each document that says anything. Throws with the first thing that is wrong. */
export function readValues(text: string): unknown[] {
  const documents = yamlDocuments(text, { schema: 'core', customTags: [], logLevel: 'silent' });
  return documents.flatMap((document): unknown[] => {
    const [broken] = [...document.errors, ...document.warnings];
    if (broken !== undefined) throw new Error(broken.message);
    const value = yamlValue(document);
    return value === null || value === undefined ? [] : [value];
  });
}
