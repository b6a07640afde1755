/**
 * The short messages at the edge of the screen: at most four, each for five seconds (spec 1 §9). It owns their
 * times and knows no DOM. Invariant: while somebody points at the messages or has the focus in them, none goes.
 */
export type ToastKind = 'success' | 'error';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

export interface ToastClock {
  /** ms; only differences count. */
  now(): number;
  /** Runs once after the delay; returns how to cancel. */
  later(delayMs: number, run: () => void): () => void;
}

export interface ToastStore {
  success(text: string): void;
  error(text: string): void;
  dismiss(id: number): void;
  /** Stops the time of every message. */
  hold(): void;
  /** Lets it run on from where it stopped. */
  release(): void;
  get: () => readonly Toast[];
  subscribe: (listener: () => void) => () => void;
}

export const TOAST_MS = 5000;
export const MAX_TOASTS = 4;

interface Timed {
  toast: Toast;
  leftMs: number;
  startedMs: number;
  cancel: (() => void) | null;
}

/** An empty stack on the given clock. */
export function createToastStore(clock: ToastClock): ToastStore {
  let entries: Timed[] = [];
  let shown: readonly Toast[] = [];
  let isHeld = false;
  let lastId = 0;
  const listeners = new Set<() => void>();

  const keep = (next: Timed[]) => {
    for (const gone of entries.filter((one) => !next.includes(one))) gone.cancel?.();
    entries = next;
    shown = next.map(({ toast }) => toast);
    // Nothing is left to be pointed at.
    if (next.length === 0) isHeld = false;
    for (const listener of listeners) listener();
  };
  const dismiss = (id: number) => keep(entries.filter(({ toast }) => toast.id !== id));
  const run = (entry: Timed) => {
    entry.startedMs = clock.now();
    entry.cancel = clock.later(entry.leftMs, () => dismiss(entry.toast.id));
  };
  const add = (kind: ToastKind, text: string) => {
    lastId += 1;
    const entry: Timed = { toast: { id: lastId, kind, text }, leftMs: TOAST_MS, startedMs: 0, cancel: null };
    // Said twice is shown once, anew.
    const others = entries.filter(({ toast }) => toast.kind !== kind || toast.text !== text);
    keep([...others, entry].slice(-MAX_TOASTS));
    if (!isHeld) run(entry);
  };

  return {
    success: (text) => add('success', text),
    error: (text) => add('error', text),
    dismiss,
    hold() {
      if (isHeld) return;
      isHeld = true;
      for (const entry of entries) {
        entry.cancel?.();
        entry.leftMs -= clock.now() - entry.startedMs;
      }
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      entries.forEach(run);
    },
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
