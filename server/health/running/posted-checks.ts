/** Which webhook check somebody posts to, and whether he may: by the check's own token, compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import { checkKey } from '../canaries/canary-query.ts';
import type { RunningCanary } from '../canaries/canary-registry.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import { readValue } from '../kind/secret-values.ts';
import { webhookSchema } from '../kinds/inbound/webhook-kind.ts';
import type { Posted } from '../kinds/inbound/webhook-kind.ts';
import type { SharedContext } from './run-canary.ts';
import { isPosted } from './run-canary.ts';

export interface PostedCall {
  checkId: string;
  token: string;
  /** Not read before the caller is known. */
  posted: () => Posted;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The check's token; empty where it has none that can be read, which lets nobody in. */
async function tokenOf(canary: RunningCanary, entry: CheckEntry, context: SharedContext): Promise<string> {
  const { token } = webhookSchema.parse(entry.raw);
  const scope = createSecretScope({
    author: canary.author,
    findConnection: () => Promise.resolve(null),
    mounted: context.secret,
    guard: context.guard,
    redactor: createRedactor(),
  });
  try {
    return await readValue(token, { secret: scope.mounted });
  } catch (error) {
    // What is wrong with the reference is told to whoever wrote it, not to a stranger.
    if (error instanceof AppError) return '';
    throw error;
  }
}

/** Null for a check that is not there, is paused or can't run here, and for a wrong token: a stranger learns nothing. */
export async function findPosted(
  canaries: Iterable<RunningCanary>,
  { checkId, token }: PostedCall,
  context: SharedContext,
): Promise<{ canary: RunningCanary; entry: CheckEntry } | null> {
  for (const canary of canaries) {
    const entry = canary.canary.entries.find(
      (one) => isPosted(one) && canary.checkIds.get(checkKey(one.type, one.name)) === checkId,
    );
    if (entry === undefined) continue;
    const wanted = await tokenOf(canary, entry, context);
    const isRight = timingSafeEqual(digest(token), digest(wanted)) && wanted !== '';
    return isRight && !canary.canary.isPaused && !canary.notRun.has(entry) ? { canary, entry } : null;
  }
  return null;
}
