/** What a wall's screen takes from the browser: it stays on, sounds, speaks, and comes back by itself. */
import { mayBeginAnew, remedyAfter } from '../../domain/wall/screen-care.ts';
import { browserPlatform } from '../client/platform.ts';
import { readRemembered } from '../session/remembered-session.ts';

/** Keeps the screen on until the answer is called; where browsers can't, the screen's own settings have to. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const ask = () => {
    // Browsers give it back when the page is hidden, and refuse it on plain http or with an empty battery.
    if (isOver || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    navigator.wakeLock.request('screen').then(
      (given) => {
        lock = given;
        if (isOver) void given.release();
      },
      () => undefined,
    );
  };
  document.addEventListener('visibilitychange', ask);
  ask();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}

const TONES_HZ = [880, 660] as const;
const TONE_SECONDS = 0.25;
/** One for the page's life: each holds on to a thread and memory of its own. */
let audio: AudioContext | null = null;
let isAudioAsked = false;

function playTones(into: AudioContext): void {
  for (const [at, frequency] of TONES_HZ.entries()) {
    const tone = into.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(into.destination);
    tone.start(into.currentTime + at * TONE_SECONDS);
    tone.stop(into.currentTime + (at + 1) * TONE_SECONDS);
  }
}

/** Two short tones. Silent where the browser wants a press first: docs/wall.md names the setting. */
export function soundAlert(): void {
  const into = (audio ??= new AudioContext());
  if (into.state === 'running') return playTones(into);
  // Where sound isn't allowed the answer never comes: asked once, so that no alert waits behind another for days.
  if (isAudioAsked) return;
  isAudioAsked = true;
  into.resume().then(
    () => {
      isAudioAsked = false;
      playTones(into);
    },
    () => {
      isAudioAsked = false;
    },
  );
}

/** Says it aloud after what is being said; what still waits then is older news. */
export function speak(text: string): void {
  if (!('speechSynthesis' in window)) return;
  if (speechSynthesis.pending) speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text));
}

/** Calls it at once and again, each time so long after it was done; until the answer is called. */
export function repeat(everyMs: number, work: () => Promise<unknown>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    const again = () => {
      if (!isOver) timer = setTimeout(run, everyMs);
    };
    work().then(again, (error: unknown) => {
      reportError(error);
      again();
    });
  };
  run();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Calls it once, after so long; never after the answer was called. */
export function after(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Loads the page anew if its server answers: without one, a reload could end at an error page of the browser. */
export async function reloadIfServed(): Promise<void> {
  if (await isServed()) window.location.reload();
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/api/healthz', { cache: 'no-store' })).ok;
  } catch {
    // Still away: the next try comes.
    return false;
  }
}

const TRIES_KEY = 'holdfast.wall-tries';
/** A database that a worker still holds is deleted when that ends, which loading the page does. */
const DELETE_MS = 3000;

function readTries(): number {
  return Number(sessionStorage.getItem(TRIES_KEY) ?? 0);
}

/** One try a page: it is about to end. */
let isEnding = false;

/** The screen stands: what it does the next time begins from the start. */
export function noteWallStands(): void {
  sessionStorage.removeItem(TRIES_KEY);
}

async function deleteKept(): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  const hasOutbox = names.some((name) => name.endsWith('-outbox'));
  if (!mayBeginAnew({ account: readRemembered(browserPlatform), hasOutbox })) return;
  const deletions = names.map(
    (name) =>
      new Promise<void>((resolve) => {
        const asked = indexedDB.deleteDatabase(name);
        for (const type of ['success', 'error', 'blocked'] as const)
          asked.addEventListener(type, () => resolve());
      }),
  );
  await Promise.race([Promise.all(deletions), new Promise((resolve) => setTimeout(resolve, DELETE_MS))]);
}

/**
 * For a screen that came neither to its code nor to a board that is current: loads it again, at every third time without
 * what is kept here, be it damaged or without room, unless the fault is the server's. Nothing happens while that does
 * not answer: it is the only other place.
 */
export async function healWall({ isOwnFault = true } = {}): Promise<void> {
  if (!(await isServed()) || isEnding) return;
  isEnding = true;
  const tries = readTries();
  sessionStorage.setItem(TRIES_KEY, String(tries + 1));
  if (isOwnFault && remedyAfter(tries) === 'begin anew') await deleteKept();
  window.location.reload();
}

/** The time of the screen's own day, such as `22:05`. */
export function localTime(nowMs: number): string {
  const at = new Date(nowMs);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}

/** How long this page has been open, ms. */
export function openForMs(): number {
  return performance.now();
}
