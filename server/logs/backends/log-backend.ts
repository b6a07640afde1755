/**
 * What every kind of log backend takes and gives. A kind reads once; which backends are asked, time limits, merging,
 * paging and masking are not its business. Invariants: calls go through `guard` alone, values of references come
 * through `secret` and `connection` alone, and `read` ends soon after `signal` is aborted.
 */
import type { LogBackendKindName } from '../../../src/contract/specs/log-backend-spec.ts';
import type { OpenConnection, SpecAuthor } from '../../connections/secret-scope.ts';
import type { EgressGuard, EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { LogPlaces } from './file-places.ts';

/** What is asked of a backend. */
export interface LogQuestion {
  /** The component's outer id, its type and namespace; the name of its selector. */
  id: string;
  type: string;
  namespace: string;
  name: string;
  /** What the selector says: each has to hold for every line. */
  labels: Readonly<Record<string, string>>;
  /** In lower case; each has to be in every line. A kind may leave it to the caller, who looks at masked lines. */
  words: readonly string[];
  /** ms since 1970, both included. */
  startMs: number;
  endMs: number;
  /** The newest so many. */
  limit: number;
  /** What `placesFor` of the page before said, where there was one. */
  places?: LogPlaces | undefined;
  /** Nobody's logs: whether the backend answers at all is what is asked. */
  isTrial?: true;
}

export interface BackendLine {
  /** ms since 1970. */
  atMs: number;
  message: string;
  /** Of the whole message, where it is longer than a line of a page. */
  chars?: number;
  labels: Readonly<Record<string, string>>;
}

export interface BackendAnswer {
  /** Newest first. */
  lines: BackendLine[];
  /** There is more in the range than was answered. */
  isCut: boolean;
  /** How far back it has looked, where that is further than its oldest line. */
  reachedMs?: number;
  /** Where the same question goes on with what is not newer than `endMs`, so that a page costs its own lines. */
  placesFor?: (endMs: number) => LogPlaces;
  /** How many there are in the range, where the backend says it. */
  total?: number;
  /** Labels that the backend itself has held its lines to; the caller looks at the others. */
  held: readonly string[];
  /** A sentence each. */
  notes?: readonly string[];
}

export interface BackendContext {
  signal: AbortSignal;
  guard: EgressGuard;
  trust: EgressTrust;
  author: SpecAuthor;
  /** A value as specifications write it: plain, or where it is kept. */
  secret: (value: unknown) => Promise<string>;
  /** By name, id or address; null when there is none. */
  connection: (
    reference: string,
  ) => Promise<(Omit<OpenConnection, 'isInsecureTls'> & { insecureTls: boolean }) | null>;
  now: () => number;
  /** Where files may be read; null where the operator named no folder. */
  logsDir: string | null;
}

export interface LogBackendKind<Spec> {
  kind: LogBackendKindName;
  /** Throws an AppError with one sentence. */
  read: (spec: Spec, question: LogQuestion, context: BackendContext) => Promise<BackendAnswer>;
}

/** Longer lines are cut here; what was cut is said in the line. */
export const MAX_LINE_CHARS = 32_768;
/** A kind gives this much of a longer line: a secret across the cut is masked before the line is cut. */
const GIVEN_LINE_CHARS = 2 * MAX_LINE_CHARS;

/** A message as a kind gives it; `chars` is its length where the text is a part of it already. */
export function givenMessage(
  message: string,
  chars: number = message.length,
): Pick<BackendLine, 'message' | 'chars'> {
  return chars <= MAX_LINE_CHARS ? { message } : { message: message.slice(0, GIVEN_LINE_CHARS), chars };
}

/** The line, its message cut where it is too long for a page. */
export function cutLine({ chars, ...line }: BackendLine): BackendLine {
  if (chars === undefined || (chars <= GIVEN_LINE_CHARS && line.message.length <= MAX_LINE_CHARS))
    return line;
  const begin = line.message.slice(0, MAX_LINE_CHARS);
  return {
    ...line,
    message: `${begin} … cut here: this line has ${chars.toLocaleString('en')} characters`,
  };
}
