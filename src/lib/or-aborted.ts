/** Bounds work that can’t be cancelled itself, or not surely: a name look-up by the system, the body of an answer. */

/** The work's outcome, or a rejection as soon as the signal aborts; the work goes on unheard. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const handleAbort = () => reject(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) handleAbort();
    signal.addEventListener('abort', handleAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', handleAbort));
  });
}
