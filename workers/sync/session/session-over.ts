import { errorFacts } from '../../../src/contract/errors.ts';
import type { SessionState } from '../../../src/contract/worker.ts';
import { HttpFailure, isOrganizationMissing, isSecondFactorMissing } from '../network/http-client.ts';

/** Whose store is shown; null when nobody's is. */
export function storeNameIn(state: SessionState): string | null {
  return state.kind === 'signed-in' ? state.user.storeName : null;
}

/**
 * 401: nobody; 403 and 422: a second factor is missing (spec 3 §8 'Session check on load'). What a proxy in between
 * refuses comes without JSON and says nothing about the session.
 */
export function isSessionOver(error: unknown): boolean {
  const { status } = errorFacts(error);
  if (status === 401) return true;
  return (status === 403 || status === 422) && error instanceof HttpFailure && error.body !== null;
}

/** What is shown after such a refusal: nobody, half a sign-in, or somebody who works nowhere yet. */
export function endOf(error: unknown): SessionState {
  if (isOrganizationMissing(error)) return { kind: 'no-organization' };
  const { code, status } = errorFacts(error);
  const isSecondFactorDue = isSecondFactorMissing(error) || code === 'forbidden' || status === 422;
  return { kind: 'signed-out', ...(isSecondFactorDue ? { isSecondFactorDue } : {}) };
}
