/**
 * Asks one backend, within its time. A backend that is slow, gone or answers something else costs its own lines and a
 * sentence. What its specification and its connection keep secret is in no sentence.
 */
import { AppError } from '../../src/contract/errors.ts';
import { logBackendSpecSchema } from '../../src/contract/specs/log-backend-spec.ts';
import type { LogBackendSpec } from '../../src/contract/specs/log-backend-spec.ts';
import { hasWords, searchableText } from '../../src/domain/logs/search-words.ts';
import { orAborted } from '../../src/lib/or-aborted.ts';
import { createScrapeSecrets } from '../catalog/scrapers/running/scrape-secrets.ts';
import { findConnectionByReference } from '../connections/connection-query.ts';
import type { SecretReader } from '../connections/connection-values.ts';
import { noteLiterals, refuseStars } from '../connections/note-literals.ts';
import { createSecretScope } from '../connections/secret-scope.ts';
import type { SpecAuthor } from '../connections/secret-scope.ts';
import { createRedactor } from '../platform/crypto/redact.ts';
import type { Redactor } from '../platform/crypto/redact.ts';
import { openContent } from '../platform/crypto/sealed-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { Database } from '../platform/db/database.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import type { Platform } from '../platform/platform.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { readBackend } from './backends/all-backends.ts';
import { cutLine } from './backends/log-backend.ts';
import type { BackendAnswer, BackendContext, BackendLine, LogQuestion } from './backends/log-backend.ts';
import { maskedLines, tellableWords } from './known-secrets.ts';
import type { KnownSecrets } from './known-secrets.ts';
import type { StoredBackend } from './logs-query.ts';

/** A backend that says nothing for longer is not there for this question. */
const BACKEND_LIMIT_MS = 20_000;

export interface AskDeps {
  db: Database;
  platform: Pick<Platform, 'now'>;
  guard: EgressGuard;
  secret: SecretReader;
  sealer: Opener;
  known: KnownSecrets;
  settings: { logsDir: string | null };
  /** 20 s unless given (tests). */
  backendLimitMs?: number | undefined;
}

/** A specification that can be asked. */
export interface OpenedBackend {
  id: string;
  name: string;
  author: SpecAuthor;
  spec: LogBackendSpec;
}

/** The specification; throws a sentence with the field that is wrong. */
export function readSpec(raw: unknown): LogBackendSpec {
  const parsed = logBackendSpecSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new AppError(
    'invalid',
    `${['spec', ...(first?.path ?? [])].join('.')}: ${first?.message ?? 'is not valid'}`,
  );
}

/** A stored backend with its secrets in their places; throws a sentence where that can't be. */
export function openBackend(sealer: Opener, stored: StoredBackend): OpenedBackend {
  const { id, name, spec, sealed, is_granted: isGranted } = stored;
  const content = openContent(sealer, { id, owner: `log backend "${name}"`, content: spec, sealed });
  refuseStars(content);
  return { id, name, author: isGranted ? 'granter' : 'user', spec: readSpec(content) };
}

function contextOf(
  deps: AskDeps,
  { author, spec }: OpenedBackend,
  { redactor, signal }: { redactor: Redactor; signal: AbortSignal },
): BackendContext {
  const { db, sealer, secret: mounted, guard, platform, settings } = deps;
  noteLiterals(spec, redactor);
  const findConnection = (reference: string) => findConnectionByReference(db, sealer, reference);
  const scope = createSecretScope({ author, findConnection, mounted, guard, redactor });
  const { refuseScripts: _none, ...secrets } = createScrapeSecrets(scope);
  return { ...secrets, trust: 'user', signal, now: () => platform.now(), logsDir: settings.logsDir };
}

/** What the question asks and the backend has not held its lines to. Labels are compared as they are. */
function ofLabels({ lines, held }: BackendAnswer, { labels }: LogQuestion): BackendLine[] {
  const open = Object.entries(labels).filter(([name]) => !held.includes(name));
  return lines.filter((line) => open.every(([name, value]) => line.labels[name] === value));
}

/** Those with the words among what may be shown: a secret answers to no word. Then they are cut to their length. */
function withWords(masked: readonly BackendLine[], words: readonly string[]): BackendLine[] {
  return masked
    .filter(({ message, labels }) => words.length === 0 || hasWords(searchableText(message, labels), words))
    .map(cutLine);
}

/** A redactor that also tells what it was given. */
function noting(): { redactor: Redactor; secrets: string[] } {
  const redactor = createRedactor();
  const secrets: string[] = [];
  const note = (secret: string) => {
    secrets.push(secret);
    redactor.note(secret);
  };
  return { redactor: { ...redactor, note }, secrets };
}

/** What a backend said, masked, and what it was signed in with: no line of another may have that either. */
export interface AskedBackend extends BackendAnswer {
  secrets: readonly string[];
}

/** What the backend says to the question; throws one sentence without secrets. */
export async function askBackend(
  deps: AskDeps,
  backend: OpenedBackend,
  { question, signal }: { question: LogQuestion; signal: AbortSignal },
): Promise<AskedBackend> {
  const { redactor, secrets } = noting();
  const limitMs = deps.backendLimitMs ?? BACKEND_LIMIT_MS;
  const isLate = AbortSignal.timeout(limitMs);
  const within = AbortSignal.any([signal, isLate]);
  try {
    const context = contextOf(deps, backend, { redactor, signal: within });
    const words = await tellableWords(question.words, deps.known, secrets);
    const given = { ...question, words };
    const { total, ...answer } = await orAborted(readBackend(backend.spec, given, context), within);
    const masked = await maskedLines(ofLabels(answer, question), deps.known, secrets);
    const notes = (answer.notes ?? []).map((note) => redactor.text(note));
    // Where it has looked, also where nothing of it is kept.
    const lastMs = answer.lines.at(-1)?.atMs;
    const reachedMs = answer.reachedMs ?? (answer.isCut ? lastMs : undefined);
    const reached = reachedMs === undefined ? {} : { reachedMs };
    // With words that it was not told, it has counted others, too.
    const counted = total === undefined || words.length < question.words.length ? {} : { total };
    return { ...answer, ...reached, ...counted, lines: withWords(masked, question.words), notes, secrets };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = isLate.aborted
      ? `did not answer within ${limitMs / 1000} s`
      : redactor.text(reasonOf(error));
    throw new AppError(error instanceof AppError ? error.code : 'server', reason, { cause: error });
  }
}
