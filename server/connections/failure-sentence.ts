/** What a test of a connection says of its failure: each cause has a sentence of its own, then what the service said. */
import { failureKind } from '../platform/egress/failure-kind.ts';
import type { FailureKind } from '../platform/egress/failure-kind.ts';
import { reasonOf } from '../platform/reason-of.ts';

const SENTENCES: Readonly<Record<FailureKind, (reason: string) => string>> = {
  // The guard's own sentence names the rule.
  closed: (reason) => reason,
  absent: (reason) => `Nothing answers at this address: ${reason}`,
  'sign-in': (reason) => `The service does not accept this sign-in: ${reason}`,
  other: (reason) => reason,
};

/** For people; what is secret in it is still to be taken out. */
export function failureSentence(error: unknown): string {
  return SENTENCES[failureKind(error)](reasonOf(error));
}
