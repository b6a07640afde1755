/** What runs the checks of lookups; server/app hands it in. */
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';

export interface LookupRunner {
  /** Stores nothing; throws for a specification that can't be read. */
  lookUp: (request: {
    place: { id: string; name: string; namespace: string; labels: Record<string, string> };
    spec: unknown;
    trust: EgressTrust;
    author: SpecAuthor;
    signal: AbortSignal;
    variables: Record<string, unknown>;
  }) => Promise<readonly { check: string; output: unknown; error: string | null }[]>;
}
