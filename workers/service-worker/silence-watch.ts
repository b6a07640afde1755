/** Gives up requests on a line that fell silent. */

/**
 * No byte of a file for this long: the line fell silent. Its connection is given up, because it would be one of the six
 * for as long as the service worker lives, and with all of them held nothing else could find out that there is a line
 * again.
 */
const SILENT_AFTER_MS = 30_000;

/** Of a worker's global scope. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): number;
  clearTimeout(timer: number): void;
}

export interface SilenceWatch {
  /** Aborted when nothing was heard for too long. */
  signal: AbortSignal;
  /** The answer; each part of its body is a sign of life. */
  watch(answer: Response): Response;
  end(): void;
}

/** Aborts a request of which nothing was heard for too long; each part of the answer's body is a sign of life. */
export function watchForSilence(timers: Timers): SilenceWatch {
  const line = new AbortController();
  const giveUp = () => line.abort(new TypeError('the line fell silent'));
  let timer = timers.setTimeout(giveUp, SILENT_AFTER_MS);
  const hear = () => {
    timers.clearTimeout(timer);
    timer = timers.setTimeout(giveUp, SILENT_AFTER_MS);
  };
  return {
    signal: line.signal,
    watch(answer: Response): Response {
      hear();
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          hear();
          controller.enqueue(part);
        },
      });
      return new Response(answer.body?.pipeThrough(heard) ?? null, answer);
    },
    end: () => timers.clearTimeout(timer),
  };
}
