/** What a test of a connection is: it contacts the service, and throws when that does not accept us. */
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import type { ConnectionValues } from './connection-values.ts';

export interface TestContext {
  guard: EgressGuard;
  signal: AbortSignal;
}

export type ConnectionTest = (values: ConnectionValues, context: TestContext) => Promise<void>;

/** Nobody waits longer for a service that is being tried. */
export const TEST_TIMEOUT_MS = 15_000;
/** Connections are written through the API: their calls are judged as a user's. */
export const TRUST = 'user';
