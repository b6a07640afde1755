/** How rows of each collection but the checks are parsed when they come in. */
import type { z } from 'zod';
import {
  incidentRecordSchema,
  incidentRowSchema,
  replicatedRowSchema,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { canarySchema } from '../../../src/contract/http/canary.ts';

// What a schema makes of a row still has an id and columns.
const SCHEMAS: Partial<Record<CollectionName, z.ZodType>> = {
  canaries: canarySchema,
  incidents: incidentRowSchema,
  incident_records: incidentRecordSchema,
};

export function rowSchemaOf(collection: CollectionName): z.ZodType<ReplicatedRow> {
  return (SCHEMAS[collection] ?? replicatedRowSchema) as z.ZodType<ReplicatedRow>;
}
