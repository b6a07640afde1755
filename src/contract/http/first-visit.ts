/**
 * `GET /api/first-visit?name=&args=`: what a page paints before anything is on the device: who is signed in, what the
 * shell needs to know, and the first window of the list that the page begins with, if the server has it for that query.
 * An extra of ours: where it is missing, or says no, the workers find all of it out as on any other visit.
 */
import type { FirstWindow } from '../first-window.ts';
import type { ShellFacts } from './shell.ts';
import type { SessionUser } from '../session-user.ts';

export const FIRST_VISIT_PATH = '/api/first-visit';

/** The lists whose first window the server works out. */
export const SERVED_QUERIES = ['live-health', 'live-incidents'] as const;
export type ServedQuery = (typeof SERVED_QUERIES)[number];

/** A list's query and what it is asked with. */
export interface ServedQuestion {
  name: ServedQuery;
  args: unknown;
}

/** Whether the server works out the first window of that query. */
export function isServed(name: string): name is ServedQuery {
  return (SERVED_QUERIES as readonly string[]).includes(name);
}

/** The address that asks for it; null for a page that begins with no such list. */
export function firstVisitAddress(question: ServedQuestion | null): string {
  if (question === null) return FIRST_VISIT_PATH;
  const { name, args } = question;
  return `${FIRST_VISIT_PATH}?name=${name}&args=${encodeURIComponent(JSON.stringify(args))}`;
}

export interface FirstVisit {
  /** CONTRACT_STAMP of the server: a page with another one leaves its answer alone. */
  contract: string;
  /** ms since 1970, when the window was worked out. */
  serverMs: number;
  user: Omit<SessionUser, 'storeName' | 'organization'>;
  shell: Omit<ShellFacts, 'storeName'>;
  /** Null where none was asked for, and where the user may not read what it is of. */
  window: FirstWindow<unknown> | null;
}
