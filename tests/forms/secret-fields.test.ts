/** What is a secret is never typed in the open, whichever document it is a part of. */
import { expect, test } from 'vitest';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { isSecretName } from '../../server/connections/note-literals.ts';
import {
  documentFields,
  entryKinds,
  readDocumentSchema,
  type SchemaField,
} from '../../src/ui/document/schema-fields.ts';

const DOCUMENTS = [
  'canary.spec',
  'config_scraper.spec',
  'topology.spec',
  'team.spec',
  'logging_backend.spec',
];

/** The path of a file on the server. */
const PATHS = new Set(['config_scraper.spec.trivy.kubernetes.kubeconfig']);

/** Places of all fields that show what is typed. */
function openFields(fields: readonly SchemaField[], place: string): string[] {
  return fields.flatMap(({ key, control }) => {
    const at = `${place}.${key}`;
    if (control.kind === 'text') return [at];
    if (control.kind === 'script') return openFields(control.beside, at);
    return control.kind === 'group' || control.kind === 'list' ? openFields(control.fields, at) : [];
  });
}

test.each(DOCUMENTS)('no secret of a %s is typed in the open', (name) => {
  const schema = readDocumentSchema(JSON.parse(schemaFile(`${name}.schema.json`) ?? 'null'));
  if (schema === null) throw new Error(`no schema of ${name}`);
  const open = [
    ...openFields(documentFields(schema), name),
    ...entryKinds(schema).flatMap(({ key, fields }) => openFields(fields, `${name}.${key}`)),
  ];
  expect(open.length).toBeGreaterThan(0);
  const isSecret = (place: string) => isSecretName(place.slice(place.lastIndexOf('.') + 1));
  expect(open.filter((place) => isSecret(place) && !PATHS.has(place))).toEqual([]);
});
