/** What a wall's screen takes from the browser: it stays on, sounds, speaks, and comes back by itself. */

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

/** Two short tones. Silent where the browser wants a press first: docs/wall.md names the setting. */
export function soundAlert(): void {
  const audio = new AudioContext();
  for (const [at, frequency] of TONES_HZ.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(audio.destination);
    tone.start(audio.currentTime + at * TONE_SECONDS);
    tone.stop(audio.currentTime + (at + 1) * TONE_SECONDS);
    if (at === TONES_HZ.length - 1) tone.addEventListener('ended', () => void audio.close());
  }
}

/** Says it aloud, after what is being said. */
export function speak(text: string): void {
  if ('speechSynthesis' in window) speechSynthesis.speak(new SpeechSynthesisUtterance(text));
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

/** Loads the page anew if its server answers: without one, a reload could end at an error page of the browser. */
export async function reloadIfServed(): Promise<void> {
  try {
    const answer = await fetch('/api/healthz', { cache: 'no-store' });
    if (answer.ok) window.location.reload();
  } catch {
    // Still away: the next try comes.
  }
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
