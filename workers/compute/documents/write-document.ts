/** A config's body as text (spec 2 §2): its data as YAML or JSON, or the content that it holds as it is. */
import { isRecord } from '../../../src/lib/is-record.ts';
import type { WrittenDocument } from '../../../src/contract/written-document.ts';
import { writeYaml } from './write-yaml.ts';

/** `{format, content}`: a body that isn't data, such as a file (contract §6.1). */
function contentOf(value: unknown): { text: string; format: string } | null {
  if (!isRecord(value)) return null;
  const { format, content, ...rest } = value;
  const isContent =
    typeof format === 'string' && typeof content === 'string' && Object.keys(rest).length === 0;
  return isContent ? { text: content, format } : null;
}

/** `json` is the body as JSON text; throws for what is none. */
export function writeDocument(json: string, form: 'yaml' | 'json'): WrittenDocument {
  const value: unknown = JSON.parse(json);
  const content = contentOf(value);
  if (content !== null) return { ...content, form: 'text' };
  const text = form === 'yaml' ? writeYaml(value) : `${JSON.stringify(value, null, 2)}\n`;
  return { text, form, format: null };
}
