/** Figures that a run gives to Prometheus (docs/checks.md), and those that a transform makes. */
import { z } from 'zod';
import { MAX_METRICS, METRIC_TYPES, metricLabel, metricName } from '../kind/spec-fields.ts';

const figureSchema = z.object({
  name: metricName,
  type: z.enum(METRIC_TYPES).default('gauge'),
  value: z.coerce.number(),
  labels: z.record(metricLabel, z.coerce.string()).default({}),
});
export type Figure = z.output<typeof figureSchema>;

/** In a transform's output. */
export const figuresSchema = z.array(figureSchema).max(MAX_METRICS);
