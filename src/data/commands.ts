/** What the app does with its data, as plain functions. */
import type { RunResult } from '../contract/http/canary.ts';
import type { Credentials } from '../contract/http/identity.ts';
import type { TimeRange } from '../domain/time/ranges.ts';
import { dataClient, type Answer } from './data-client.ts';

/** Signs in with a password; refusals come back in the server's words. */
export function signIn(credentials: Credentials): Promise<Answer<null>> {
  return dataClient().signIn(credentials);
}

/** Deletes what is kept of the user and ends the session; works offline. */
export function signOut(): Promise<void> {
  return dataClient().signOut();
}

/** Asks the server again now. */
export function refresh(): void {
  dataClient().refresh();
}

/** Runs a check now; refused offline. */
export function runCheck(checkId: string): Promise<Answer<RunResult | null>> {
  return dataClient().runCheck(checkId);
}

/** How often to ask besides being told; null for never. */
export function setPollInterval(intervalMs: number | null): void {
  dataClient().setPollInterval(intervalMs);
}

/** Which range the uptime and latency columns want. */
export function setSummaryRange(range: TimeRange): void {
  dataClient().setSummaryRange(range);
}

/** The server's time now, ms since 1970. */
export function nowOnServer(): number {
  return dataClient().nowOnServer();
}
