/**
 * How a page looked last, as elements and texts: painted with the document, before any script of the app has run, and
 * replaced by the app's own first rendering, which has the same rows (first-windows.ts). It is stored beside the cached
 * windows that it shows, so it is of the same person and goes with them.
 * Invariant: no frame says passing of a check that may be overdue: from then on what it says of health is left blank.
 */
import { isRecord } from '../../../lib/is-record.ts';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

/** With what is in it. */
export type FrameElement = [tag: string, attributes: Record<string, string>, ...content: FrameNode[]];
export type FrameNode = string | FrameElement;

export interface FirstFrame {
  /** Of the window: the page is laid out for it. */
  widthPx: number;
  /** From then on a check that it shows as healthy may be overdue; ms on the server's clock, null for never. */
  untilMs: number | null;
  /** Paths of the stylesheets. */
  styles: string[];
  nodes: FrameNode[];
}

/** What a frame is stored as: an entry for each address. */
export const frameName = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `frame:${pathname}${search}`;

/** Whether one is stored for that address, of whoever it is. */
export const isFrameStored = (keys: readonly string[], address: Parameters<typeof frameName>[0]): boolean =>
  keys.some((key) => key.endsWith(`:${frameName(address)}`));

const headOf = (build: string, body: string) => `${build} ${body.length}`;

/** The text that is stored. */
export function writeFrame(frame: FirstFrame, build: string): string {
  const body = JSON.stringify(frame);
  return `${headOf(build, body)}\n${body}`;
}

/** Its nodes are of this build, which wrote them; whoever makes elements of them looks at each. */
function isFrame(value: unknown): value is FirstFrame {
  if (!isRecord(value)) return false;
  const { widthPx, untilMs, styles, nodes } = value;
  const isTime = untilMs === null || typeof untilMs === 'number';
  return typeof widthPx === 'number' && isTime && Array.isArray(styles) && Array.isArray(nodes);
}

interface FrameMoment {
  /** Of the document that asks. */
  build: string;
  widthPx: number;
}

/** Null where there is none, and where it is another build's or of another width. */
export function readFrame(text: string | null, { build, widthPx }: FrameMoment): FirstFrame | null {
  const end = text?.indexOf('\n') ?? -1;
  const body = text?.slice(end + 1) ?? '';
  if (text === null || text.slice(0, end) !== headOf(build, body)) return null;
  const frame = jsonOrNull(body);
  return isFrame(frame) && frame.widthPx === widthPx ? frame : null;
}

/** Whether what it says of health may be said no longer; `nowMs` is the server's clock. */
export const isFrameOld = ({ untilMs }: Pick<FirstFrame, 'untilMs'>, nowMs: number): boolean =>
  untilMs !== null && !(nowMs < untilMs);
