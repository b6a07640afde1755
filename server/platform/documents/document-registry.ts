/**
 * The documents of a kind that are in use, kept in step with files and the database. Owns which comes from where, and
 * what is said about those that are refused. Changes are applied one after the other, so that two quick edits can't
 * cross.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { tryOpenContent } from '../crypto/sealed-values.ts';
import type { Opener } from '../crypto/sealed-values.ts';
import { DatabaseError } from '../db/database-error.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { FileDocument, RefusedDocument, FileProblem } from '../yaml/yaml-file.ts';
import type { DocumentKind, DocumentName, RunningDocument, StoredDocument } from './document-kind.ts';

interface RegistryDeps {
  db: Database;
  sealer: Opener;
  logger: Logger;
}

const keyOf = ({ name, namespace }: DocumentName) => `${namespace}/${name}`;

const isRefused = <Problem>(
  document: { ok: true } | RefusedDocument<Problem>,
): document is RefusedDocument<Problem> => !document.ok;

/** A file that can't even be read as documents says nothing about which of its documents are gone. */
const isUnreadable = (source: string, found: readonly FileDocument<{ ok: true }>[]) =>
  found.some((document) => isRefused(document) && document.name.startsWith(source));

/** The name belongs to somebody else. What the database refuses is none: its transaction is over. */
const isNameTaken = (error: unknown): error is AppError =>
  error instanceof AppError && !(error instanceof DatabaseError) && error.code === 'conflict';

/** Changes with everything that makes it run otherwise. */
const textOf = (author: string, isPaused: boolean, read: unknown) => JSON.stringify([author, isPaused, read]);

/** One for each kind; what a kind does with its documents is in its `DocumentKind`. */
export class DocumentRegistry<
  Read extends { ok: true },
  Row extends StoredDocument,
  Running extends RunningDocument,
> {
  private readonly deps: RegistryDeps;
  readonly kind: DocumentKind<Read, Row, Running>;
  private readonly running = new Map<string, { running: Running; text: string }>();
  private last: Promise<void> = Promise.resolve();

  constructor(deps: RegistryDeps, kind: DocumentKind<Read, Row, Running>) {
    this.deps = deps;
    this.kind = kind;
  }

  get(id: string): Running | undefined {
    return this.running.get(id)?.running;
  }

  all(): Running[] {
    return [...this.running.values()].map(({ running }) => running);
  }

  /** Makes the documents of one source exactly these; what was refused keeps its row and is reported. */
  replaceSource(source: string, found: readonly FileDocument<Read>[]): Promise<void> {
    return this.inOrder(() => this.replace(source, found));
  }

  /** Reads the documents that users keep in the database. */
  syncDatabase(): Promise<void> {
    return this.inOrder(async () => {
      const rows = await this.kind.stored(this.deps.db);
      for (const row of rows) await this.syncOne(row);
      const live = new Set(rows.map(({ id }) => id));
      for (const { id, trust } of this.all()) if (trust === 'user' && !live.has(id)) this.drop(id);
      this.kind.changed('database');
    });
  }

  /** One change at a time; a failure is the caller's, not the next one's. */
  private inOrder(work: () => Promise<void>): Promise<void> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => {});
    return mine;
  }

  private adopt(running: Running, read: Read): void {
    const text = textOf(running.author, running.isPaused ?? false, read);
    const isSame = this.running.get(running.id)?.text === text;
    this.running.set(running.id, { running, text });
    this.kind.start(running, isSame);
  }

  private drop(id: string): void {
    this.running.delete(id);
    this.kind.stop(id);
  }

  private async replace(source: string, found: readonly FileDocument<Read>[]): Promise<void> {
    const { kind } = this;
    const before = await kind.ofSource(this.deps.db, source);
    const kept = new Set<string>(isUnreadable(source, found) ? before : []);
    const saved = new Map<Running, Read>();
    const refused: string[] = [];
    await this.deps.db.transaction(async (tx) => {
      await kind.lock?.(tx);
      for (const document of this.withoutDuplicates(source, found)) {
        const refusal = isRefused(document) ? document : await this.save(tx, source, { document, saved });
        if (refusal !== null) refused.push(await this.refuse(tx, source, refusal));
      }
      for (const id of [...refused, ...[...saved.keys()].map((each) => each.id)]) kept.add(id);
      const gone = before.filter((id) => !kept.has(id));
      await kind.remove(tx, gone);
    });
    for (const [running, read] of saved) this.adopt(running, read);
    for (const id of before) if (!kept.has(id)) this.drop(id);
    if (!kind.runsOnWhenRefused) for (const id of refused) this.drop(id);
    kind.changed('file');
  }

  /** A file that names a document twice would have the second undo the first. */
  private withoutDuplicates(
    source: string,
    found: readonly FileDocument<Read>[],
  ): (Read | RefusedDocument<FileProblem>)[] {
    const seen = new Set<string>();
    return found.map((document) => {
      const named = isRefused(document) ? document : this.kind.nameOf(document);
      const key = keyOf(named);
      if (!seen.has(key)) {
        seen.add(key);
        return document;
      }
      const message = `${source}:1: metadata.name: the ${this.kind.noun} ${key} is in this file twice`;
      const problems: FileProblem[] = [{ file: source, line: 1, field: 'metadata.name', message }];
      return { ok: false, name: `${named.name} (second)`, namespace: named.namespace, problems };
    });
  }

  /** Notes what runs in `saved`, else answers why not: a document whose name is taken is refused alone. */
  private async save(
    tx: Queryable,
    source: string,
    { document, saved }: { document: Read; saved: Map<Running, Read> },
  ): Promise<RefusedDocument<FileProblem> | null> {
    const { kind } = this;
    try {
      const running = await kind.save(tx, document, source);
      await kind.note(tx, running.id, []);
      saved.set(running, document);
      return null;
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      const message = `${source}:1: ${error.message}`;
      const problems: FileProblem[] = [{ file: source, line: 1, field: 'metadata.name', message }];
      const { name, namespace } = kind.nameOf(document);
      return { ok: false, name, namespace, problems };
    }
  }

  /** Where the name is taken, the problems are shown under one that tells the file. */
  private async rowOfRefused(tx: Queryable, source: string, refused: DocumentName): Promise<string> {
    const { name, namespace } = refused;
    try {
      return await this.kind.ensureRefused(tx, { name, namespace }, source);
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      return this.kind.ensureRefused(tx, { name: `${name} (${source})`, namespace }, source);
    }
  }

  private async refuse(
    tx: Queryable,
    source: string,
    document: RefusedDocument<FileProblem>,
  ): Promise<string> {
    const id = await this.rowOfRefused(tx, source, document);
    await this.kind.note(tx, id, document.problems);
    for (const { message } of document.problems) this.deps.logger.warn({ source }, message);
    return id;
  }

  /** Documents in the database have no lines; their problems name the field alone. */
  private async syncOne(row: Row): Promise<void> {
    const { kind } = this;
    const { db, sealer } = this.deps;
    const { id, name, sealed } = row;
    const owner = `${kind.noun} "${name}"`;
    const opened = tryOpenContent(sealer, { id, owner, content: row.spec, sealed });
    const { problem } = opened;
    if (problem !== null) {
      this.drop(id);
      await db.transaction((tx) => kind.note(tx, id, [{ message: problem }]));
      return;
    }
    const read = kind.readStored(row, opened.content);
    if (read === null || isRefused(read)) {
      if (!kind.runsOnWhenRefused) this.drop(id);
      const problems = read?.problems.map(({ field, message }) => ({ message: `${field}: ${message}` }));
      if (problems !== undefined) await db.transaction((tx) => kind.note(tx, id, problems));
      return;
    }
    const author = row.is_granted ? 'granter' : 'user';
    if (this.running.get(id)?.text === textOf(author, row.is_paused ?? false, read)) return;
    const running = await db.transaction(async (tx) => {
      await kind.note(tx, id, []);
      return kind.takeStored(tx, row, read);
    });
    this.adopt(running, read);
  }
}
