/**
 * One person at a time on a shared tablet, however many tabs it has (docs/decisions/0057): a page that is open holds its
 * place, whoever locks or opens the tablet waits until no page does, and goes one after the other.
 */
const OPEN = 'holdfast-tablet-open';
const TURN = 'holdfast-tablet-turn';
/** A page that does not leave when it is told to is no reason to stay open. */
const PATIENCE_MS = 10_000;

/** Browsers have none on plain http but on this machine, where no tablet is shared either. */
const hasLocks = () => 'locks' in navigator;

/** Holds a place until the answer is called; `onLost` when it was taken. Waits while somebody locks or opens. */
export function holdPlace(onLost: () => void): Promise<() => void> {
  if (!hasLocks()) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(release));
    navigator.locks.request(OPEN, { mode: 'shared' }, hold).catch(onLost);
  });
}

/** Runs when no page is open any more; one that stays loses its place. */
async function whenNoPageIsOpen<T>(run: () => Promise<T>): Promise<T> {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), PATIENCE_MS);
  const begin = () => {
    clearTimeout(timer);
    return run();
  };
  try {
    return await navigator.locks.request(OPEN, { signal: given.signal }, begin);
  } catch (error) {
    if (!given.signal.aborted) throw error;
    return navigator.locks.request(OPEN, { steal: true }, run);
  }
}

/** Runs alone: `tell` has the open pages leave, and nobody else locks or opens the tablet meanwhile. */
export function runAlone<T>(tell: () => void, run: () => Promise<T>): Promise<T> {
  if (!hasLocks()) return run();
  return runInTurn(() => {
    tell();
    return whenNoPageIsOpen(run);
  });
}

/** Runs while nobody else locks or opens the tablet; pages may be open. */
export function runInTurn<T>(run: () => Promise<T>): Promise<T> {
  return hasLocks() ? navigator.locks.request(TURN, run) : run();
}
