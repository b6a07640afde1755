/**
 * The request for a first visit (src/contract/http/first-visit.ts). The document itself begins with it, before any file of
 * the app is there (src/app/first-visit.ts), and leaves the answer where the app finds it.
 */
import { firstVisitAddress, type ServedQuestion } from '../../contract/http/first-visit.ts';
import { ORGANIZATION_HEADER } from '../../contract/http/identity/organization-header.ts';

/** Where the remembered user is; and that somebody signed out here since there was none. */
export const SESSION_KEY = 'holdfast.session';
export const SIGNED_OUT_KEY = 'holdfast.signed-out';
const ASKED = 'holdfastFirstVisit';

/** An answer as it came. */
export interface VisitAnswer {
  question: ServedQuestion | null;
  body: unknown;
  /** This device's clock, ms: the server's time in the answer is not before it. */
  sentMs: number;
}

/** Null for no answer, and for one that comes from an organisation of the hosted mode: those are told apart later. */
export async function askFirstVisit(question: ServedQuestion | null): Promise<VisitAnswer | null> {
  const sentMs = Date.now();
  try {
    const answer = await fetch(firstVisitAddress(question), { headers: { accept: 'application/json' } });
    if (!answer.ok || answer.headers.has(ORGANIZATION_HEADER)) return null;
    return { question, body: await answer.json(), sentMs };
  } catch {
    // No line, or no JSON: the workers ask in their own way, and say what is wrong.
    return null;
  }
}

/** What this device keeps under a key of its settings. */
export function readSettingText(key: string): string | null {
  return localStorage.getItem(key);
}

/** What this device keeps, by its keys; nothing where storage is blocked. */
export function storedKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Asks at once where nobody was here before. Whoever signed out here has to sign in first. */
export function beginFirstVisit(questionAt: (place: Location) => ServedQuestion | null): void {
  try {
    if (localStorage.getItem(SESSION_KEY) !== null || localStorage.getItem(SIGNED_OUT_KEY) !== null) return;
  } catch {
    // Storage is blocked: nothing says that somebody was not here.
    return;
  }
  Object.assign(globalThis, { [ASKED]: askFirstVisit(questionAt(location)) });
}

/** What the document asked for; null where it didn't. */
export function firstVisitAsked(): Promise<VisitAnswer | null> | null {
  const asked: unknown = Reflect.get(globalThis, ASKED);
  // Ours alone, from above.
  return asked instanceof Promise ? (asked as Promise<VisitAnswer | null>) : null;
}
