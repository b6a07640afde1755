/** What a shared tablet locks away of the person who is on, and puts back (docs/decisions/0057): settings, session; and a clock. */
import { TABLET_KEYS } from './platform-tablet.ts';

/** A server that doesn't answer is no reason to keep a tablet open. */
const LEAVE_MS = 3000;
/** Looks of the device: they say nothing of anybody. */
const LOOKS = ['colorScheme', 'density'];
/** The session's; on a shared tablet the page may read it (server/access/identity/routes/cookies.ts). */
const COOKIE = 'ory_kratos_session';

/** The settings of the person who is on, which are locked away with everything else. */
export function readSettings(): Record<string, string> {
  const own = [...TABLET_KEYS, ...LOOKS];
  return Object.fromEntries(Object.entries(localStorage).filter(([key]) => !own.includes(key)));
}

/** Removes them, and what the tab knew. */
export function clearSettings(): void {
  for (const key of Object.keys(readSettings())) localStorage.removeItem(key);
  sessionStorage.clear();
}

/** Puts them back. */
export function writeSettings(settings: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(settings)) localStorage.setItem(key, value);
}

/** The session's token, where the page may read it. */
export function readToken(): string | null {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith(`${COOKIE}=`));
  return cookie?.slice(COOKIE.length + 1) ?? null;
}

/** Puts the session's token back, or (null) takes it away. */
export function writeToken(token: string | null): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  const age = token === null ? '; max-age=0' : '';
  document.cookie = `${COOKIE}=${token ?? ''}; path=/; samesite=lax${secure}${age}`;
}

/** Ends the session that this browser has, also one that the page can't read; false without an answer. */
export async function leaveSession(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LEAVE_MS);
    return (await fetch('/api/tablets/here/leave', { method: 'POST', signal })).ok;
  } catch {
    return false;
  }
}

/** Calls it each time that so many ms went by, and when the page is looked at again. */
export function everyWhile(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  document.addEventListener('visibilitychange', run);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', run);
  };
}
