/** Reads a YAML file of canary documents, with lines to what is wrong with them. */
import { readYamlFile } from '../../platform/yaml/yaml-file.ts';
import type { FileDocument } from '../../platform/yaml/yaml-file.ts';
import { isOtherKind, readCanary } from './canary-document.ts';
import type { Canary } from './canary-document.ts';

/** One document of a file: a canary, or the name it would have had with what is wrong. */
export type FileCanary = FileDocument<{ ok: true; canary: Canary }>;

/** All canaries of a file's text; `file` is the name to report. Documents of other APIs are left out. */
export function readCanaryFile(file: string, text: string): FileCanary[] {
  return readYamlFile({ file, text }, (value, fallbackName) =>
    isOtherKind(value) ? null : readCanary(value, fallbackName),
  );
}
