/** Pages of a component's log, as the app asks its sync worker for them. */
import { z } from 'zod';

export const logPageSchema = z.object({
  componentId: z.guid(),
  /** A selector of the component. */
  name: z.string(),
  query: z.string().max(1000),
  start: z.string().max(64),
  end: z.string().max(64),
  limit: z.int().min(1),
  /** Of the page before; null asks for the newest lines. */
  cursor: z.string().nullable(),
  /** Which page this is, from 0: the first ones are kept on the device. Null keeps nothing and reads nothing kept. */
  page: z.int().min(0).nullable(),
});
export type LogPageRequest = z.input<typeof logPageSchema>;

/** What was asked for. */
export type AskedLog = Pick<z.output<typeof logPageSchema>, 'query' | 'start' | 'end'>;

export interface ReadLogs {
  /** The answer of `POST /logs` as JSON text, UTF-8: it goes on to the compute worker unread. */
  bytes: Uint8Array;
  lines: number;
  total: number;
  /** The cursor of the next page; null when there is none. */
  next: string | null;
  notes: string[];
  isPartial: boolean;
  asOfMs: number;
  /** From this device: what was looked at last, and with which question. */
  source: 'server' | 'device';
  question: AskedLog;
}
