/**
 * The short messages at the edge of the screen: at most four, each for five seconds (spec 1 §9). It owns their
 * times and knows no DOM. Invariant: while somebody points at the messages or has the focus in them, none goes but
 * those whose offer is over.
 */
export type ToastKind = 'success' | 'error';

/** Where a message leads. */
export interface ToastLink {
  text: string;
  href: string;
}

/** What can be done about a message while it is there. */
export interface ToastOffer {
  label: string;
  act: () => void;
  /** How long it can be done, ms: looking closer doesn't make it longer. */
  forMs: number;
}

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  link?: ToastLink | undefined;
  offer: ToastOffer | null;
}

const NOTHING_MORE = { offer: null } as const;

export interface ToastClock {
  /** ms; only differences count. */
  now(): number;
  /** Runs once after the delay; returns how to cancel. */
  later(delayMs: number, run: () => void): () => void;
}

export interface ToastStore {
  success(text: string, link?: ToastLink): void;
  error(text: string): void;
  /** Says something that can be undone for a while. */
  offer(text: string, offer: ToastOffer): void;
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
  const add = (kind: ToastKind, text: string, more: Pick<Toast, 'link' | 'offer'> = NOTHING_MORE) => {
    lastId += 1;
    const { offer } = more;
    const toast: Toast = { id: lastId, kind, text, ...more };
    const entry: Timed = { toast, leftMs: offer?.forMs ?? TOAST_MS, startedMs: 0, cancel: null };
    // Said twice is shown once, anew; two offers are two.
    const isSame = (other: Toast) => other.offer === null && other.kind === kind && other.text === text;
    const others = entries.filter((other) => offer !== null || !isSame(other.toast));
    keep([...others, entry].slice(-MAX_TOASTS));
    if (!isHeld || offer !== null) run(entry);
  };

  return {
    success: (text, link) => add('success', text, { link, offer: null }),
    error: (text) => add('error', text),
    offer: (text, offer) => add('success', text, { offer }),
    dismiss,
    hold() {
      if (isHeld) return;
      isHeld = true;
      for (const entry of entries.filter(({ toast }) => toast.offer === null)) {
        entry.cancel?.();
        entry.leftMs -= clock.now() - entry.startedMs;
      }
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      for (const entry of entries) if (entry.toast.offer === null) run(entry);
    },
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
