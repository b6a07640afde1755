/** What the schemas of health checks and of scrapers say against a document, as their forms do. */
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { problemsByPath, schemaOf } from '../../src/ui/code/yaml-lint.ts';

export const CHECKS = 'canary.spec.schema.json';
export const SCRAPERS = 'config_scraper.spec.schema.json';
const validators = new Map(
  [CHECKS, SCRAPERS].map((file) => [file, schemaOf(JSON.parse(schemaFile(file) ?? 'null'))]),
);
/** Each problem with where it is, `http.0.url`. */
export const problemsIn = (file: string, document: unknown) => [
  ...problemsByPath(JSON.stringify(document), validators.get(file) ?? null),
];
