/** Lines of logs as they cross between the UI and the compute worker, which holds them and looks through them. */
import type { output } from 'zod/v4/core';
import type { LinePiece } from '../../domain/logs/line-pieces.ts';
import type { LogLevel } from '../../domain/logs/log-level.ts';
import type { logQuerySchema } from '../queries/live-arguments.ts';

/** As many as a device holds of one log; the oldest go first. */
export const MAX_HELD_LINES = 100_000;

/** As text, a JSON object a line; with lines that say the same counted. */
export const LOG_FILE_FORMS = ['text', 'json', 'counted'] as const;
export type LogFileForm = (typeof LOG_FILE_FORMS)[number];

export type LogQuery = output<typeof logQuerySchema>;

/** One line of the list, as far as it is shown there. */
export interface LogRow {
  /** Of this line for as long as it is held. */
  seq: number;
  atMs: number;
  level: LogLevel;
  pieces: LinePiece[];
  /** There is more of it than the list shows. */
  isCut: boolean;
  labels: [name: string, value: string][];
}

/** Lines of a stretch of time that fit the search. */
export interface LogBucket {
  count: number;
  /** Of these, fatal and error; warning. */
  errors: number;
  warnings: number;
}

export interface LogFrame {
  isLoaded: boolean;
  /** Lines that fit. */
  rowCount: number;
  /** Lines that are held. */
  totalCount: number;
  /** Newer ones that are held back while somebody reads. */
  waiting: number;
  /** How many lines that fit but for the levels have each. */
  levels: { level: LogLevel; count: number }[];
  /** Of what is held; null without lines. */
  histogram: { fromMs: number; bucketMs: number; buckets: LogBucket[] } | null;
  /** Of what is held. */
  labelNames: string[];
  /** Values of the label by which is grouped, most lines first, and how many there are in all. */
  groups: { value: string; count: number }[];
  groupCount: number;
  newestMs: number | null;
  newestSeq: number | null;
}

/** A difference to what was sent before. */
export interface LogPatch {
  generation: number;
  frame?: LogFrame;
  rows?: { start: number; rows: LogRow[] };
}

/** A whole line, taken apart. */
export interface LogDetail {
  atMs: number;
  level: LogLevel;
  /** As it was written, colours taken out. */
  text: string;
  pieces: LinePiece[];
  labels: [name: string, value: string][];
  /** What the line says of itself; empty where it is plain text. */
  fields: [name: string, value: string][];
}
