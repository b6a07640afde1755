/**
 * The first windows of the pages that were looked at last, cached where the main thread can read them at once: a start
 * paints them together with the shell. It owns when they are written and when they are forgotten.
 * - An entry is of one person with the roles of that moment: it is written only if the worker answered from the store of
 *   who is signed in here, and read only for them. Whoever leaves takes all entries along, and so do roles that change.
 * - An entry is read only by the build that wrote it, and only as it was written.
 * - Nothing here fails: an entry that can't be read or written is one that isn't there.
 */
import type { FirstWindow, FirstWindowText } from '../../../contract/first-window.ts';
import type { LiveQueryName } from '../../../contract/queries/queries.ts';
import { textHash } from '../../../lib/text-hash.ts';
import type { DataPlatform } from '../platform.ts';
import type { AnswerCache } from './answer-cache.ts';
import { ENTRY_PREFIX as PREFIX, entryKey, ownerOf, type Reader } from './entry-key.ts';
import type { ServedWindows } from './served-windows.ts';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

/** Which entries there are, the one used last first. */
const ORDER = 'holdfast.windows';
const MAX_ENTRIES = 60;
/** An origin has some five million letters for all that is stored in this way. */
const MAX_LETTERS = 1_000_000;
/** Of one page: a hundred checks without groups, each as it is now and as it is once it is overdue, are 250,000. */
const MAX_PAGE_LETTERS = MAX_LETTERS / 2;
const FIRST_WRITE_MS = 1000;
const WRITE_EVERY_MS = 15_000;

type WindowsPlatform = Pick<
  DataPlatform,
  'readStored' | 'writeStored' | 'storedKeys' | 'build' | 'frameName' | 'later' | 'whenIdle' | 'report'
>;

/** A query with its arguments, as the worker is asked it. */
export interface CachedQuestion {
  name: string;
  args: unknown;
}

/** The text of a page's first frame (first-frame.ts); `untilMs` as there. */
type FrameSource = (untilMs: number | null) => string | null;

/** Who shows the answers to a query. */
interface Owner {
  /** What it asked first, and at which address: what it would ask at the next start there. */
  begun: { frameName: string; argsText: string } | null;
}

/** An entry's key and how many letters it has. */
type Place = [key: string, letters: number];

const isOrder = (value: unknown): value is Place[] =>
  Array.isArray(value) && value.every((one) => Array.isArray(one) && typeof one[1] === 'number');

/** One for the page. */
export class FirstWindows {
  private readonly platform: WindowsPlatform;
  private readonly answer: (question: CachedQuestion) => Promise<FirstWindowText | null>;
  private readonly signedIn: () => Reader | null;
  private readonly served: ServedWindows;
  private reader: Reader | null = null;
  /** Questions whose present answer is to be written, by who shows it. */
  private readonly due = new Map<Owner, CachedQuestion>();
  private readonly forgetters = new Set<() => void>();
  /** Rises when everything is deleted: an answer from before is not written. */
  private age = 0;
  private isWaiting = false;
  private waitMs = FIRST_WRITE_MS;
  private takeFrame: FrameSource | null = null;
  private tellFirstRead: ((isCached: boolean) => void) | null = null;

  /** `signedIn` is what all tabs of this origin know, as it is at that moment. */
  constructor(options: {
    platform: WindowsPlatform;
    answer: (question: CachedQuestion) => Promise<FirstWindowText | null>;
    signedIn: () => Reader | null;
    /** What a device without rows begins with. */
    served: ServedWindows;
  }) {
    this.platform = options.platform;
    this.served = options.served;
    this.answer = options.answer;
    this.signedIn = options.signedIn;
  }

  /** Whose entries are read and written from now on; all others are deleted. */
  setReader(reader: Reader | null): void {
    if (reader === null) {
      this.reader = null;
      this.forgetAll();
      return;
    }
    const owner = ownerOf(reader);
    if (this.reader !== null && ownerOf(this.reader) === owner) return;
    this.reader = reader;
    this.due.clear();
    this.served.close();
    this.forgetShown();
    const own = `${PREFIX}${owner}:`;
    for (const key of this.platform.storedKeys())
      if (key.startsWith(PREFIX) && !key.startsWith(own)) this.platform.writeStored(key, null);
  }

  /** Deletes everything: the store that it came from is gone. */
  forgetAll(): void {
    this.age += 1;
    this.due.clear();
    this.served.close();
    this.removeAll();
    this.forgetShown();
  }

  /** What was and is to be cached of a query. */
  of<Args, Patch>(name: LiveQueryName): AnswerCache<Args, Patch> {
    const owner: Owner = { begun: null };
    return {
      read: (args) => {
        owner.begun ??= { frameName: this.platform.frameName, argsText: JSON.stringify(args) };
        return this.read({ name, args });
      },
      note: (args) => this.note(owner, { name, args }),
      drop: () => this.drop(owner),
      onForget: (forget) => this.onForget(forget),
      onNews: (look) => this.onNews(look),
    };
  }

  /** Calls when what was read here may not be shown any longer; returns how to stop. */
  onForget(forget: () => void): () => void {
    this.forgetters.add(forget);
    return () => this.forgetters.delete(forget);
  }

  /** Calls when there may be an answer where there was none; returns how to stop. */
  onNews(look: () => void): () => void {
    return this.served.onNews(look);
  }

  /** Calls once, when the page asks for the first time: with whether there is something to show. */
  onFirstRead(tell: (isCached: boolean) => void): void {
    this.tellFirstRead = tell;
  }

  /** The cached answer, or the server's where this device has none; null when there is none that can be shown. */
  read<Patch>(question: CachedQuestion): FirstWindow<Patch> | null {
    const found = this.find<Patch>(question);
    this.tellFirstRead?.(found !== null);
    this.tellFirstRead = null;
    return found;
  }

  private find<Patch>(question: CachedQuestion): FirstWindow<Patch> | null {
    // The server answers in the form that the worker does.
    if (this.served.isNeeded()) return this.served.get(question) as FirstWindow<Patch> | null;
    const key = this.keyOf(question);
    const text = key === null ? null : this.platform.readStored(key);
    if (text === null) return null;
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== this.head(body)) return null;
    // This build wrote it, and it is what was written.
    return JSON.parse(body) as FirstWindow<Patch>;
  }

  /** The worker has answered: before long, when the page is idle, its present answer is cached. */
  private note(owner: Owner, question: CachedQuestion): void {
    this.due.set(owner, question);
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.platform.later(this.waitMs, () => this.platform.whenIdle(() => this.writeDue()));
    this.waitMs = WRITE_EVERY_MS;
  }

  /** Something else is asked, or nothing any more. */
  private drop(owner: Owner): void {
    this.due.delete(owner);
  }

  /** How the page looks, for the first frame of the next start: `take` answers null where it is not to be stored. */
  setFrameSource(take: FrameSource): void {
    this.takeFrame = take;
  }

  /** Writes what is due at once: the page is put away. */
  writeDue(): void {
    this.isWaiting = false;
    const due = [...this.due];
    this.due.clear();
    const isAsAtStart = due.every(([{ begun }, { args }]) => begun?.argsText === JSON.stringify(args));
    const at = new Set(due.map(([{ begun }]) => begun?.frameName));
    void this.cache(
      due.map(([, question]) => question),
      isAsAtStart && at.size === 1 ? ([...at][0] ?? null) : null,
    );
  }

  /** `frameName` is null where the page asks something else than it will at the next start. */
  private async cache(questions: readonly CachedQuestion[], frameName: string | null): Promise<void> {
    const { age, reader } = this;
    const keys = questions.map((question) => this.keyOf(question));
    const answers = await Promise.all(questions.map((question) => this.answerOrNull(question)));
    if (age !== this.age) return;
    const areWritten = answers.map((found, at) => {
      const key = keys[at] ?? null;
      return (
        found !== null &&
        key !== null &&
        this.write(key, found.storeName, `${this.head(found.text)}\n${found.text}`)
      );
    });
    const [first] = answers;
    // What the page shows is what was answered, to who was asking, and will be there for the app as well.
    if (first == null || areWritten.includes(false) || reader === null || reader !== this.reader) return;
    if (frameName === null || frameName !== this.platform.frameName) return;
    const until = answers.flatMap((found) => found?.untilMs ?? []);
    const frame = this.takeFrame?.(until.length === 0 ? null : Math.min(...until)) ?? null;
    if (frame !== null) this.write(entryKey(reader, frameName), first.storeName, frame);
  }

  private async answerOrNull(question: CachedQuestion): Promise<FirstWindowText | null> {
    try {
      return await this.answer(question);
    } catch (error) {
      this.platform.report(error);
      return null;
    }
  }

  /** False where it is not stored. */
  private write(key: string, storeName: string, text: string): boolean {
    const { reader } = this;
    const signedIn = this.signedIn();
    // Another person's, or of somebody who left meanwhile, perhaps in another tab.
    if (reader === null || signedIn === null || storeName !== reader.storeName) return false;
    // Of the roles from before.
    const isOwn = key.startsWith(`${PREFIX}${ownerOf(reader)}:`);
    if (ownerOf(signedIn) !== ownerOf(reader) || !isOwn || text.length > MAX_PAGE_LETTERS) return false;
    try {
      this.platform.writeStored(key, text);
      this.makeRoom([key, text.length]);
      return true;
    } catch {
      // No room: what others keep there goes first.
      this.removeAll();
      return false;
    }
  }

  private forgetShown(): void {
    for (const forget of this.forgetters) forget();
  }

  private removeAll(): void {
    for (const key of this.platform.storedKeys())
      if (key.startsWith(PREFIX) || key === ORDER) this.platform.writeStored(key, null);
  }

  /** Keeps the entries that were used last. */
  private makeRoom(newest: Place): void {
    let letters = 0;
    const kept = [newest, ...this.readOrder().filter(([key]) => key !== newest[0])]
      .slice(0, MAX_ENTRIES)
      .filter(([, own]) => {
        letters += own;
        return letters <= MAX_LETTERS;
      });
    const keys = new Set(kept.map(([key]) => key));
    for (const key of this.platform.storedKeys())
      if (key.startsWith(PREFIX) && !keys.has(key)) this.platform.writeStored(key, null);
    this.platform.writeStored(ORDER, JSON.stringify(kept));
  }

  private readOrder(): Place[] {
    // One that was written by hand is lost, and with it what it was of.
    const order = jsonOrNull(this.platform.readStored(ORDER));
    return isOrder(order) ? order : [];
  }

  private keyOf({ name, args }: CachedQuestion): string | null {
    const { reader } = this;
    return reader === null ? null : entryKey(reader, `${name}:${JSON.stringify(args)}`);
  }

  private head(body: string): string {
    return `${this.platform.build} ${textHash(body)}`;
  }
}
