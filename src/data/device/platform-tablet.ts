/** What a shared tablet takes from the browser (docs/decisions/0057): which tablet this is, who is on, idling. */

const TABLET_KEY = 'holdfast.tablet';
/** A new one each time that it is locked: who came on before that is on no more, in whatever tab. */
const LOCKED_KEY = 'holdfast.tablet.locked';
/** When somebody touched it last, ms since 1970. */
const USED_KEY = 'holdfast.tablet.used';
const OPEN_KEY = 'holdfast.tablet.open';
/** The lock that this tab was opened after. */
const SINCE_KEY = 'holdfast.tablet.since';
const USE_NOTED_MS = 5000;
const LOOK_EVERY_MS = 1000;
/** What says nothing of the person who is on. */
export const TABLET_KEYS: readonly string[] = [TABLET_KEY, LOCKED_KEY, USED_KEY];

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
