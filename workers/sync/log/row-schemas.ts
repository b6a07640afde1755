/** How rows of each collection but checks and canaries are parsed when they come in. */
import type { z } from 'zod';
import {
  incidentRecordSchema,
  incidentRowSchema,
  replicatedRowSchema,
} from '../../../src/contract/collection-rows.ts';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';

// What a schema makes of a row still has an id and columns.
const SCHEMAS: Partial<Record<CollectionName, z.ZodType>> = {
  incidents: incidentRowSchema,
  incident_records: incidentRecordSchema,
};

/** A collection without a schema of its own has rows with an id and anything else. */
export function rowSchemaOf(collection: CollectionName): z.ZodType<ReplicatedRow> {
  return (SCHEMAS[collection] ?? replicatedRowSchema) as z.ZodType<ReplicatedRow>;
}
