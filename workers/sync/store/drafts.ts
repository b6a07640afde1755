/**
 * Texts that somebody began to write and has not sent yet, in a database of that person's store: they outlive a
 * reload and the browser, show in every tab, and go with the store (design §4 law 13). Every change is told to
 * the workers of other tabs. A database that was removed under it is written again from memory (law 14).
 */
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { DraftTexts } from '../../../src/contract/worker.ts';
import { openKeyValue, type KeyValue } from '../../store/key-value.ts';
import { draftsDbName } from '../../store/store-names.ts';
import type { SyncPlatform } from '../platform.ts';
import { isDraftsMessage } from '../tabs/peer-messages.ts';

/** More than any form takes. */
const LONGEST = 100_000;

export interface DraftsParts {
  platform: Pick<SyncPlatform, 'idb' | 'announce' | 'listen' | 'report'>;
  storeName: string;
}

/** One for a user's store; close it before the store is deleted. */
export class Drafts {
  private readonly parts: DraftsParts;
  private readonly listeners = new Set<(drafts: DraftTexts) => void>();
  private readonly unlisten: () => void;
  private place: KeyValue;
  private texts: Readonly<Record<string, string>> | null = null;
  /** One at a time, so that the last of two writes stays. */
  private turn: Promise<unknown>;

  constructor(parts: DraftsParts) {
    this.parts = parts;
    this.place = openKeyValue(draftsDbName(parts.storeName), parts.platform.idb);
    this.unlisten = parts.platform.listen((message) => {
      if (isDraftsMessage(message, parts.storeName)) this.turn = this.turn.then(() => this.readReporting());
    });
    this.turn = this.readReporting();
  }

  subscribe(listener: (drafts: DraftTexts) => void): () => void {
    this.listeners.add(listener);
    if (this.texts !== null) listener(this.told(this.texts));
    return () => this.listeners.delete(listener);
  }

  /** Keeps a text, or forgets it; resolves when that is durable. */
  write(key: string, text: string | null): Promise<void> {
    if (text !== null && text.length > LONGEST) throw new AppError('invalid', ERROR_TEXTS.invalid);
    return this.inTurn(async () => {
      const rest = Object.entries(this.texts ?? {}).filter(([name]) => name !== key);
      this.tell(Object.fromEntries(text === null ? rest : [...rest, [key, text]]));
      if (text === null) await this.place.delete(key);
      else await this.place.set(key, text);
      this.parts.platform.announce({ type: 'drafts', storeName: this.parts.storeName });
    });
  }

  /** Somebody removed the database: writes everything down again. */
  restore(): Promise<void> {
    return this.inTurn(async () => {
      const { storeName, platform } = this.parts;
      this.place.close();
      this.place = openKeyValue(draftsDbName(storeName), platform.idb);
      for (const [key, text] of Object.entries(this.texts ?? {})) await this.place.set(key, text);
    });
  }

  async close(): Promise<void> {
    this.unlisten();
    this.listeners.clear();
    await this.turn;
    this.place.close();
  }

  private async readReporting(): Promise<void> {
    try {
      const kept = await this.place.all();
      const texts = kept.flatMap(({ key, value }) => (typeof value === 'string' ? [[key, value]] : []));
      this.tell(Object.fromEntries(texts) as Record<string, string>);
    } catch (error) {
      this.parts.platform.report(error);
    }
  }

  private tell(texts: Readonly<Record<string, string>>): void {
    this.texts = texts;
    for (const listener of this.listeners) listener(this.told(texts));
  }

  private told(texts: Readonly<Record<string, string>>): DraftTexts {
    return { storeName: this.parts.storeName, texts };
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.turn.then(step);
    this.turn = done.catch((error: unknown) => this.parts.platform.report(error));
    return done;
  }
}
