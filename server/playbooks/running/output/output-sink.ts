/**
 * What an action writes, on its way to whoever looks on: whole lines, without secrets, in pieces that are stored soon
 * after they come and seldom enough not to load the database. Invariant: pieces are stored in the order in which they
 * were written, one statement at a time.
 */
import type { Redactor } from '../../../platform/crypto/redact.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { OutputPiece } from './output-query.ts';

/** The first line is stored at once, those after it together. */
const FLUSH_EVERY_MS = 100;
/** A line is shown up to here while it runs; the result has all of it. */
const LONGEST_LINE = 64 * 1024;
const LONGEST_PIECE = 64 * 1024;

export interface OutputSink {
  write(stream: OutputPiece['stream'], text: string): void;
  /** Stores what is left; call it when nothing more comes. */
  end(): Promise<void>;
}

interface SinkDeps {
  platform: Pick<Platform, 'sleep'>;
  logger: Pick<Logger, 'warn'>;
  redactor: Redactor;
  store: (pieces: readonly OutputPiece[]) => Promise<void>;
}

/** The database takes no NUL in a text. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD');

class LineSink implements OutputSink {
  private readonly deps: SinkDeps;
  private readonly open = { stdout: '', stderr: '' };
  private pieces: OutputPiece[] = [];
  private flushing: Promise<void> | null = null;
  private readonly ending = new AbortController();

  constructor(deps: SinkDeps) {
    this.deps = deps;
  }

  write(stream: OutputPiece['stream'], text: string): void {
    const all = this.open[stream] + text;
    const end = all.lastIndexOf('\n') + 1;
    // A secret may be anywhere in a line: what is no line yet isn't shown.
    this.open[stream] = all.slice(end);
    if (end > 0) this.add(stream, all.slice(0, end));
  }

  async end(): Promise<void> {
    this.ending.abort();
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.open[stream] !== '') this.add(stream, this.open[stream]);
      this.open[stream] = '';
    }
    while (this.flushing !== null) await this.flushing;
  }

  private add(stream: OutputPiece['stream'], lines: string): void {
    const shown = storable(this.deps.redactor.text(lines)).replaceAll(
      new RegExp(`(.{${LONGEST_LINE}}).+`, 'g'),
      '$1…',
    );
    const last = this.pieces.at(-1);
    if (last?.stream === stream && last.content.length + shown.length <= LONGEST_PIECE) last.content += shown;
    else this.pieces.push({ stream, content: shown });
    this.flushing ??= this.flush();
  }

  private async flush(): Promise<void> {
    await Promise.resolve();
    while (this.pieces.length > 0) {
      const { pieces } = this;
      this.pieces = [];
      try {
        await this.deps.store(pieces);
      } catch (error) {
        // The result will have it; nobody's action fails because nobody could look on.
        this.deps.logger.warn({ err: error }, 'the output of an action could not be stored');
      }
      await this.deps.platform.sleep(FLUSH_EVERY_MS, this.ending.signal);
    }
    this.flushing = null;
  }
}

/** One for each action that runs. */
export function createOutputSink(deps: SinkDeps): OutputSink {
  return new LineSink(deps);
}
