/**
 * What the server said to a first visit, for a page that waits for no worker: who is signed in here, by the name of
 * their store, and the window that the page begins with. It decides nothing: the sync worker asks again, and its answer
 * counts.
 */
import type { ServedQuestion } from '../../contract/http/first-visit.ts';
import type { FirstWindow } from '../../contract/first-window.ts';
import type { ShellFacts } from '../../contract/http/shell.ts';
import type { SessionUser } from '../../contract/session-user.ts';
import { storeNameOf } from '../../domain/store-name.ts';
import { CONTRACT_STAMP } from '../../contract/version.ts';
import { isRecord } from '../../lib/is-record.ts';
import { isSessionUser } from '../session/remembered-session.ts';
import { isShellFacts } from '../session/stored-shell-facts.ts';
import type { VisitAnswer } from './platform-first-visit.ts';

export interface Visit {
  user: SessionUser;
  facts: ShellFacts;
  /** server − device, ms; never so that the server's time is before what it was. */
  offsetMs: number;
  served: { question: ServedQuestion; window: FirstWindow<unknown> } | null;
}

/** By hand: the schema's library would be a sixth of the app's first download. */
function isWindow(value: unknown): value is FirstWindow<unknown> {
  return isRecord(value) && isRecord(value.patch) && (value.later === null || isRecord(value.later));
}

/** Null for what another version of the server says, and for what is not understood. */
export function readVisit({ question, body, sentMs }: VisitAnswer, origin: string): Visit | null {
  if (!isRecord(body) || body.contract !== CONTRACT_STAMP || typeof body.serverMs !== 'number') return null;
  const { user: person, shell, window, serverMs } = body;
  if (!isRecord(person) || typeof person.id !== 'string' || !isRecord(shell)) return null;
  const storeName = storeNameOf(origin, person.id);
  const [user, facts]: unknown[] = [
    { ...person, storeName },
    { ...shell, storeName },
  ];
  if (!isSessionUser(user) || !isShellFacts(facts)) return null;
  const served = question !== null && isWindow(window) ? { question, window } : null;
  return { user, facts, offsetMs: serverMs - sentMs, served };
}
