/** What a shared tablet takes from the browser (docs/decisions/0057): which tablet this is, who is on, cookie, idling. */

const TABLET_KEY = 'holdfast.tablet';
const LOCKED_KEY = 'holdfast.tablet.locked';
const OPEN_KEY = 'holdfast.tablet.open';
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

/** See `whoIsOn`. */
export function setWhoIsOn(person: string): void {
  sessionStorage.setItem(OPEN_KEY, person);
}

/** True where this page must not start: it is a shared tablet, and nobody showed who he is. */
export function isTabletLocked(): boolean {
  return tabletHere() !== null && whoIsOn() === null;
}

/** Goes there with a page of its own, so that nothing stays in memory. */
export function startPage(path: string): void {
  window.location.replace(path);
}

/** Locks the tablet: in every tab, at once. */
export function lockTablet(): void {
  sessionStorage.removeItem(OPEN_KEY);
  localStorage.setItem(LOCKED_KEY, String(Date.now()));
  startPage('/');
}

/** The settings of the person who is on, which are locked away with everything else. */
export function readSettings(): Record<string, string> {
  const own = [TABLET_KEY, LOCKED_KEY, ...LOOKS];
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
    return (await fetch('/api/tablets/here/leave', { method: 'POST' })).ok;
  } catch {
    return false;
  }
}

const USES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Calls `onLock` when nobody touched the tablet for so long, the shift is over, or another tab locked it. */
export function watchTablet({
  idleMs,
  endsAtMs,
  onLock,
}: {
  idleMs: number;
  endsAtMs: number;
  onLock: () => void;
}): () => void {
  let usedAt = Date.now();
  const used = () => {
    usedAt = Date.now();
  };
  const hear = ({ key }: StorageEvent) => {
    if (key === LOCKED_KEY) onLock();
  };
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - usedAt >= idleMs || now >= endsAtMs) onLock();
  }, LOOK_EVERY_MS);
  for (const use of USES) window.addEventListener(use, used, { passive: true });
  window.addEventListener('storage', hear);
  return () => {
    clearInterval(timer);
    for (const use of USES) window.removeEventListener(use, used);
    window.removeEventListener('storage', hear);
  };
}
