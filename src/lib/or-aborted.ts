/** Bounds work that can’t be cancelled itself, or not surely: a name look-up by the system, the body of an answer. */

/** What an AbortSignal has, wherever the program runs. */
interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The work's outcome, or a rejection as soon as the signal aborts; the work goes on unheard. */
export function orAborted<T>(work: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((resolve, reject) => {
    const handleAbort = () => reject(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) handleAbort();
    signal.addEventListener('abort', handleAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', handleAbort));
  });
}
