/**
 * First windows that the server works out (src/contract/http/first-visit.ts), shown while this device has no rows of its own
 * yet: on a first visit, and while a store is loaded from the start. It owns which of them are asked for.
 * - They are asked for and shown only while it is open, and of one person: whoever closes it forgets all of them.
 * - What fails is as good as not there: the workers answer the same question.
 */
import { isServed, type ServedQuestion } from '../../../contract/http/first-visit.ts';
import type { FirstWindow } from '../../../contract/first-window.ts';

/** What somebody typed before is seldom asked again. */
const MOST_ANSWERS = 12;

/** Asks the server; null for no answer, and for one to somebody else. */
export type AskServer = (question: ServedQuestion) => Promise<FirstWindow<unknown> | null>;

interface Question {
  name: string;
  args: unknown;
}

const keyOf = ({ name, args }: Question) => `${name}:${JSON.stringify(args)}`;

/** One for the page. */
export class ServedWindows {
  private readonly askServer: AskServer;
  /** Null while nothing came, or nothing will. */
  private answers = new Map<string, FirstWindow<unknown> | null>();
  /** Lists of which a question is on its way, with the one that was asked last meanwhile. */
  private asking = new Map<string, ServedQuestion | null>();
  private readonly listeners = new Set<() => void>();
  private isOpen = false;

  constructor(askServer: AskServer) {
    this.askServer = askServer;
  }

  /** Whether the device's own rows are not there yet. */
  isNeeded(): boolean {
    return this.isOpen;
  }

  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.tell();
  }

  close(): void {
    this.isOpen = false;
    this.answers = new Map();
    this.asking = new Map();
  }

  /** What came together with the document. */
  put(question: Question, window: FirstWindow<unknown>): void {
    this.answers.set(keyOf(question), window);
    this.tell();
  }

  /** What the server said; null where it has not yet, in which case it is asked. */
  get(question: Question): FirstWindow<unknown> | null {
    if (!this.isOpen) return null;
    const found = this.answers.get(keyOf(question));
    if (found === undefined) this.ask(question);
    return found ?? null;
  }

  /** Calls when there may be more to show; returns how to stop. */
  onNews(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** One at a time of a list: somebody who types meanwhile is answered what they typed last. */
  private ask({ name, args }: Question): void {
    const { answers, asking } = this;
    if (!isServed(name)) return;
    if (asking.has(name)) {
      asking.set(name, { name, args });
      return;
    }
    asking.set(name, null);
    answers.set(keyOf({ name, args }), null);
    const [oldest] = answers.keys();
    if (answers.size > MOST_ANSWERS && oldest !== undefined) answers.delete(oldest);
    void this.askServer({ name, args }).then((window) => {
      // Closed meanwhile: of somebody else by now, or not needed any more.
      if (this.answers !== answers) return;
      const last = asking.get(name);
      asking.delete(name);
      if (last && !answers.has(keyOf(last))) this.ask(last);
      if (window !== null) this.put({ name, args }, window);
    });
  }
}
