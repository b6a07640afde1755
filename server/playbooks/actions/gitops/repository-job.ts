/** What crosses between the server and the thread that works on a repository. */
import type { JqText } from './jq-text.ts';

export interface FileEdit {
  /** Inside the repository; `*`, `**` and `?` mean all that match. */
  path: string;
  jq: JqText;
}

export interface WrittenFile {
  path: string;
  /** Null takes the file away. */
  content: string | null;
}

export interface RepositoryJob {
  /** http or https, without credentials. */
  url: string;
  /** A folder of its own on this machine. */
  gitdir: string;
  /** Null: the branch that the repository calls its default. */
  base: string | null;
  /** Null: the base itself. */
  branch: string | null;
  /** Writes the branch anew from the base where it is there already. */
  isForced: boolean;
  /** Leaves everything as it is where the branch is there already. */
  isExistingSkipped: boolean;
  author: { name: string; email: string };
  message: string;
  /** Seconds since 1970. */
  timestamp: number;
  edits: readonly FileEdit[];
  files: readonly WrittenFile[];
}

export interface RepositoryUpdate {
  kind: 'pushed' | 'unchanged' | 'skipped';
  base: string;
  branch: string;
  /** Of the commit that was pushed. */
  commit: string | null;
  /** Paths. */
  changed: string[];
}

/** A commit with its files. */
export interface CheckoutJob {
  /** http or https, without credentials. */
  url: string;
  /** A folder that is not there yet. */
  dir: string;
  /** A branch, a tag or the id of a commit. Null: the branch that the repository calls its default. */
  ref: string | null;
}

export interface GitRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
}

export interface GitAnswer {
  url: string;
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** What the thread asks of the server. */
export interface RepositoryHost {
  /** One call, with credentials and through the guard. */
  request: (request: GitRequest) => Promise<GitAnswer>;
  /** A line for whoever looks on. */
  tell: (line: string) => void;
  /** Edits are given less time than calls. */
  edits: (areUnderWay: boolean) => void;
}

/** A failure as it crosses: its message is for people where it is `invalid`. */
export interface ThreadFailure {
  failure: { isInvalid: boolean; message: string };
}
