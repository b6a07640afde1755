/** Rows of tables in which an agent is the only writer, as they are sent: their keys and times are checked here. */
import { z } from 'zod';
import type { PushTable } from '../push-tables.ts';

const TIME_COLUMN = /(_at|_observed|_time|^time_start|^time_end)$/;
const text = z.string().nullish();

/** One row; `time` is a time that is not too far ahead. Columns that are not known are left out by the database. */
export function rowSchemaOf({ key, columns, parents }: PushTable, time: z.ZodType<string>) {
  const guid = z.guid('must be a UUID');
  const shape: Record<string, z.ZodType> = {};
  for (const column of columns) if (TIME_COLUMN.test(column)) shape[column] = time.nullish();
  // What ends in future is no fault of a clock.
  if (columns.includes('expires_at')) shape['expires_at'] = z.iso.datetime({ offset: true }).nullish();
  for (const [column] of parents) shape[column] = guid.nullish();
  for (const column of key) shape[column] = column === 'id' || column.endsWith('_id') ? guid : text;
  // Selectors are texts that say by what a link was found.
  if (key.includes('selector_id')) shape['selector_id'] = text;
  return z.looseObject(shape);
}
