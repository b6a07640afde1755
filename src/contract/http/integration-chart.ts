/** `GET /integrations/charts/{chart}`: what a form for a chart is made of (contract §14.3). */
import { z } from 'zod';
import { CHARTS } from '../../domain/integration/charts.ts';

export const chartKeySchema = z.enum(CHARTS);

export const integrationChartSchema = z.object({
  chart: chartKeySchema,
  /** As its registry names it; null until that was read. */
  name: z.string().nullable(),
  version: z.string().nullable(),
  description: z.string().nullable(),
  /** The JSON schema of its values; null where there is none to be had. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** When it was read from the registry. */
  readAt: z.string().nullable(),
  /** Why it could not be read now; what was kept is answered all the same. */
  problem: z.string().nullable(),
});
export type IntegrationChart = z.infer<typeof integrationChartSchema>;
