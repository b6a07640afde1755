/** What a snapshot of a component is asked with (contract §5, schema §8.7). */
import { z } from 'zod';
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';

export const snapshotRequestSchema = z.object({
  componentId: z.string(),
  start: z.custom<TimeRange>((value) => typeof value === 'string' && isTimeRange(value)),
  /** Also of the components that it is related to. */
  isRelatedToo: z.boolean(),
});
export type SnapshotRequest = z.output<typeof snapshotRequestSchema>;
