/** The text of a file as what it holds: JSON, or one or more documents of YAML. */
import { MAX_IMPORT_BYTES } from '../../../domain/import/import-entry.ts';
import { readImport, type ReadImport } from '../../../domain/import/read-import.ts';
import { yamlDocuments, yamlValue } from '../../../lib/read-yaml.ts';
import { messages } from './messages.ts';

const words = messages.import;

function documentsOf(text: string): unknown[] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // YAML may begin like JSON; the parser below says what is wrong with it.
    }
  }
  // `<<: *defaults` is how such files say what their endpoints share.
  return yamlDocuments(text, { prettyErrors: false, merge: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(error.message.split('\n')[0]);
    return yamlValue(document);
  });
}

/** What the text becomes here, or why nothing does. */
export function readFile(text: string): { ok: true; value: ReadImport } | { ok: false; message: string } {
  if (text.trim() === '') return { ok: false, message: words.empty };
  if (text.length > MAX_IMPORT_BYTES) return { ok: false, message: words.tooLong };
  try {
    const value = readImport(documentsOf(text));
    return value === null ? { ok: false, message: words.unknownFormat } : { ok: true, value };
  } catch (error) {
    return { ok: false, message: words.unreadable(error instanceof Error ? error.message : String(error)) };
  }
}
