/** What a kind of document (canaries, scrapers) tells the registry of itself. */
import type { Queryable, Transactions } from '../db/database.ts';
import type { EgressTrust } from '../egress/egress-guard.ts';
import type { FileProblem, RefusedDocument } from '../yaml/yaml-file.ts';

/** A document that is in use. */
export interface RunningDocument {
  id: string;
  trust: EgressTrust;
  /** Whose rights it has. */
  author: string;
  /** Where the row says so, and not the document: it runs only when asked. */
  isPaused?: boolean;
}

/** A document as users keep it in the database. */
export interface StoredDocument {
  id: string;
  name: string;
  /** With sealed values in their places, and where each belongs. */
  spec: unknown;
  sealed: Record<string, string>;
  /** Written last by somebody who may write connections. */
  is_granted: boolean;
  /** Where the row says so, and not the document. */
  is_paused?: boolean;
}

export interface DocumentName {
  name: string;
  namespace: string;
}

export type Problem = Pick<FileProblem, 'message'>;

export interface DocumentKind<
  Read extends { ok: true },
  Row extends StoredDocument,
  Running extends RunningDocument,
> {
  /** As problems call it. */
  noun: string;
  nameOf: (read: Read) => DocumentName;
  /** What runs goes on as it was when its new document is refused. */
  runsOnWhenRefused: boolean;

  /** Files that rows came from. */
  sources: (db: Queryable) => Promise<string[]>;
  /** Ids of the rows of a file. */
  ofSource: (db: Queryable, source: string) => Promise<string[]>;
  /** Before rows of files are written. */
  lock?: (tx: Queryable) => Promise<void>;
  save: (tx: Queryable, read: Read, source: string) => Promise<Running>;
  /** The row of a refused document: what it was before, else an empty one that can be shown. */
  ensureRefused: (tx: Queryable, name: DocumentName, source: string) => Promise<string>;
  remove: (tx: Queryable, ids: readonly string[]) => Promise<void>;

  /** What users keep in the database. */
  stored: (db: Transactions) => Promise<Row[]>;
  /** Null: still to be written, which is no problem. */
  readStored: (row: Row, spec: unknown) => Read | RefusedDocument | null;
  takeStored: (tx: Queryable, row: Row, read: Read) => Promise<Running>;

  /** Notes for people how reading a document went. */
  note: (tx: Queryable, id: string, problems: readonly Problem[]) => Promise<void>;
  /** It runs from now on, as it did when `isSame`. */
  start: (running: Running, isSame: boolean) => void;
  /** It doesn't run any more. */
  stop: (id: string) => void;
  changed: (by: 'file' | 'database') => void;
}
