import { stringify } from 'yaml';

/** A document as YAML; nothing for nothing. */
export function yamlText(document: unknown): string {
  return document === null || document === undefined ? '' : stringify(document, { lineWidth: 100 });
}
