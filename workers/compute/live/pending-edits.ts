/**
 * The commands of an outbox as edits of rows, once there is what reads them. That brings the schema library along, and
 * most starts have no command to read: it is loaded with the first one, or once the first rows are there.
 */
import { OUTBOX } from './outbox-names.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import type { ComputePlatform } from '../platform.ts';
import type { CommandReader } from './command-reader.ts';
import { Overlay, type Touched } from './overlay.ts';

/** Saving takes a moment; whoever began it and didn't come to its end in this time is gone. */
const SAVING_LIMIT_MS = 30_000;

/** The first rows of a start are there by then; also how long until a reader that did not come is asked for again. */
const READER_AFTER_MS = 1500;

/** What reads commands, as a file of its own. Rejects where the file does not come. */
export const loadReader = async (): Promise<CommandReader> =>
  (await import('./command-reader.ts')).commandReader;

interface Read {
  reader: CommandReader;
  overlay: Overlay;
}

/** Starts with nothing; `onChange` names the rows that may look different. */
export class PendingEdits {
  private readonly platform: Pick<ComputePlatform, 'later' | 'report'>;
  private readonly onChange: (touched: Touched) => void;
  private read: Read | null = null;
  /** Changes that came before what reads them; null while it isn't being loaded. */
  private early: StoreChange[] | null = null;

  constructor(platform: Pick<ComputePlatform, 'later' | 'report'>, onChange: (touched: Touched) => void) {
    this.platform = platform;
    this.onChange = onChange;
  }

  /** Null while no command was read. */
  overlay(): Overlay | null {
    return this.read?.overlay ?? null;
  }

  /** Another outbox: what was read of the last one is dropped. */
  clear(): void {
    this.read = null;
    this.early = null;
    this.platform.later(READER_AFTER_MS, () => {
      if (this.read === null && this.early === null) this.load([]);
    });
  }

  /** What the outbox has on the disk, in place of what was known of it. The reader is null where nothing is stored. */
  replaceAll(stored: readonly unknown[], reader: CommandReader | null): void {
    if (this.early !== null) this.early.length = 0;
    if (reader !== null) {
      this.early = null;
      this.read ??= { reader, overlay: new Overlay(reader) };
    }
    if (this.read !== null) this.onChange(this.read.overlay.replaceAll(this.read.reader.readItems(stored)));
  }

  /** What came to the outbox or left it, in the order of the calls. */
  apply(change: StoreChange): void {
    if (this.read !== null) this.show(this.read, change);
    else if (this.early !== null) this.early.push(change);
    else this.load([change]);
  }

  private load(waiting: StoreChange[]): void {
    this.early = waiting;
    loadReader().then(
      (reader) => {
        if (this.early !== waiting) return;
        this.early = null;
        this.read = { reader, overlay: new Overlay(reader) };
        for (const change of waiting) this.show(this.read, change);
      },
      (error: unknown) => {
        if (this.early !== waiting) return;
        this.platform.report(error);
        this.platform.later(READER_AFTER_MS, () => {
          if (this.early === waiting) this.load(waiting);
        });
      },
    );
  }

  private show({ reader, overlay }: Read, change: StoreChange): void {
    const items = { upserts: reader.readItems(change.upserts), deletedIds: change.deletedIds };
    if (change.collection === OUTBOX) this.onChange(overlay.apply(items));
    else this.showSaving(overlay, items);
  }

  private showSaving(overlay: Overlay, change: { upserts: OutboxItem[]; deletedIds: string[] }): void {
    this.onChange(overlay.applySaving(change));
    if (change.upserts.length === 0) return;
    const begun = { upserts: [], deletedIds: change.upserts.map(({ commandId }) => commandId) };
    this.platform.later(SAVING_LIMIT_MS, () => {
      if (overlay === this.read?.overlay) this.onChange(overlay.applySaving(begun));
    });
  }
}
