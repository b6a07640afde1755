/** Reads a server-sent event stream piece by piece. */
export interface StreamEvent {
  event: string;
  data: unknown;
}

export interface EventReader {
  /** The next event of this name; fails after `limitMs`. Comes back null when the stream ended first. */
  next(name: string, limitMs?: number): Promise<StreamEvent | null>;
  /** What stood before the first event (the retry line). */
  preamble(): string;
  close(): Promise<void>;
}

export function readEvents(response: Response): EventReader {
  if (response.body === null) throw new Error('no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  let preamble = '';

  async function pull(): Promise<StreamEvent | null> {
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end !== -1) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        const event = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event !== undefined) return { event, data: JSON.parse(data ?? 'null') };
        preamble += block;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      buffer += value;
    }
  }

  return {
    async next(name, limitMs = 20_000) {
      const deadline = Date.now() + limitMs;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no ${name} within ${limitMs} ms`)), limitMs);
      });
      try {
        while (Date.now() < deadline) {
          const event = await Promise.race([pull(), late]);
          if (event === null || event.event === name) return event;
        }
        throw new Error(`no ${name} within ${limitMs} ms`);
      } finally {
        clearTimeout(timer);
      }
    },
    preamble: () => preamble,
    async close() {
      await reader.cancel();
    },
  };
}
