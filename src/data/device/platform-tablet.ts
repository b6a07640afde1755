/** What a shared tablet takes from the browser (docs/decisions/0057): which tablet this is, who is on, cookie, idling. */

const TABLET_KEY = 'holdfast.tablet';
/** A new one each time that it is locked: who came on before that is on no more, in whatever tab. */
const LOCKED_KEY = 'holdfast.tablet.locked';
/** When somebody touched it last, ms since 1970. */
const USED_KEY = 'holdfast.tablet.used';
const OPEN_KEY = 'holdfast.tablet.open';
/** The lock that this tab was opened after. */
const SINCE_KEY = 'holdfast.tablet.since';
const USE_NOTED_MS = 5000;
/** A server that doesn't answer is no reason to keep a tablet open. */
const LEAVE_MS = 3000;
/** Looks of the device: they say nothing of anybody. */
const LOOKS = ['colorScheme', 'density'];
/** The session's; on a shared tablet the page may read it (server/access/identity/routes/cookies.ts). */
const COOKIE = 'ory_kratos_session';
const LOOK_EVERY_MS = 1000;

/** The name of the shared tablet that this browser is; null for an ordinary browser. */
export function tabletHere(): string | null {
  try {
    return localStorage.getItem(TABLET_KEY);
  } catch {
    // Storage is blocked: nothing is kept here.
    return null;
  }
}

/** Makes this browser the shared tablet of that name, or (null) an ordinary one. */
export function setTabletHere(name: string | null): void {
  if (name === null) localStorage.removeItem(TABLET_KEY);
  else localStorage.setItem(TABLET_KEY, name);
}

/** ms since 1970, this device's clock. */
export function deviceNow(): number {
  return Date.now();
}

/** Who is on in this tab: a person's id, `new` for somebody without a PIN, null while the tablet is locked. */
export function whoIsOn(): string | null {
  return sessionStorage.getItem(OPEN_KEY);
}

const lastLock = () => localStorage.getItem(LOCKED_KEY) ?? '';

/** See `whoIsOn`. */
export function setWhoIsOn(person: string): void {
  sessionStorage.setItem(OPEN_KEY, person);
  sessionStorage.setItem(SINCE_KEY, lastLock());
  localStorage.setItem(USED_KEY, String(Date.now()));
}

/**
 * True where this page must not start: it is a shared tablet, and nobody showed who he is since it was last locked,
 * or it lay untouched. A browser brings a tab back with what the tab knew, hours later.
 */
export function isTabletLocked(idleMs: number): boolean {
  if (tabletHere() === null) return false;
  const untouchedMs = Math.abs(Date.now() - Number(localStorage.getItem(USED_KEY)));
  return whoIsOn() === null || sessionStorage.getItem(SINCE_KEY) !== lastLock() || untouchedMs >= idleMs;
}

/** Goes there with a page of its own, so that nothing stays in memory. */
export function startPage(path: string): void {
  window.location.replace(path);
}

/** Nobody is on any more, in whatever tab: pages that are open leave (`watchTablet`), others don't start. */
export function noteLock(): void {
  localStorage.setItem(LOCKED_KEY, crypto.randomUUID());
}

/** Locks the tablet: in every tab, at once. */
export function lockTablet(): void {
  noteLock();
  leaveTablet();
}

/** This tab's part of it. */
export function leaveTablet(): void {
  sessionStorage.removeItem(OPEN_KEY);
  startPage('/');
}

/** The settings of the person who is on, which are locked away with everything else. */
export function readSettings(): Record<string, string> {
  const own = [TABLET_KEY, LOCKED_KEY, USED_KEY, ...LOOKS];
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

const USES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Calls `onLock` when nobody touched the tablet for so long. */
export function watchIdling(idleMs: number, onLock: () => void): void {
  let usedAt = Date.now();
  let notedAt = usedAt;
  const used = () => {
    usedAt = Date.now();
    if (usedAt - notedAt < USE_NOTED_MS) return;
    notedAt = usedAt;
    localStorage.setItem(USED_KEY, String(usedAt));
  };
  setInterval(() => {
    if (Date.now() - usedAt >= idleMs) onLock();
  }, LOOK_EVERY_MS);
  for (const use of USES) window.addEventListener(use, used, { passive: true });
}

/** Calls `onLock` when another tab locked the tablet. */
export function watchLocks(onLock: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === LOCKED_KEY) onLock();
  });
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
