/** What goes to a service, and how that ended. */
import type { ServiceAddress } from '../../../src/domain/notification/service-address.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';

export interface OutgoingNotification {
  /** Calls that an earlier attempt made: their recipients have it already. */
  doneCalls?: number;
  /** The same in each attempt: services that know such a key show it once. */
  key: string;
  title: string;
  body: string;
  /** Of the rule or the service: what this service understands of them (docs/notifications.md). */
  properties: Readonly<Record<string, string>>;
  /** Shown as links where a service has such, else they stand in the body. */
  links?: readonly { label: string; url: string }[];
}

export type SendOutcome =
  | { kind: 'sent' }
  /** Not with this address, this text or these rights: it would fail again. */
  | { kind: 'failed'; reason: string }
  /** The same may work later; `retryAfterMs`: as the service asked. */
  | { kind: 'later'; reason: string; retryAfterMs: number | null; doneCalls?: number };

export interface SenderContext {
  address: ServiceAddress;
  guard: EgressGuard;
  signal: AbortSignal;
  now: () => number;
}

/** One call to a service; several of them are made one after the other. */
export interface ServiceCall {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** How a service is called, one call for each recipient; throws `invalid` naming what is missing. */
export type CallsOf = (message: OutgoingNotification, address: ServiceAddress) => ServiceCall[];

/** A text cut to what a service takes, by characters. */
export function cut(text: string, most: number): string {
  const signs = Array.from(text);
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join('')}…`;
}

/** A call with JSON in its body. */
export const jsonCall = (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ServiceCall => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A call with a form in its body. */
export const formCall = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): ServiceCall => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

/** How a user signs in with Basic. */
export const basicAuth = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
