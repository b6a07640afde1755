/** What the kinds of forms are made of, and the few rules that they share. */
import type { Logger } from '../../../platform/logger.ts';
import type { Settings } from '../../../platform/settings/settings.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Courier } from '../../../platform/mail/courier.ts';
import type { OneTimeCodes } from '../codes/one-time-codes.ts';
import type { RecoveryCodes } from '../codes/recovery-codes.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { hashToken, TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';
import type { Device, Sessions } from '../sessions/sessions.ts';
import type { Totp } from '../codes/totp.ts';
import type { Fields, Outcome, StartQuery, Visitor } from './flow-kind.ts';
import { missingField, notAnEmail, tooLong } from './flow-messages.ts';
import type { FlowMessage } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowRow, FlowUi } from './flow-query.ts';
import { csrfTokenOf } from './flow-service.ts';
import type { FlowStore } from './flow-service.ts';

export interface KindParts extends FlowStore {
  logger: Logger;
  sessions: Sessions;
  attempts: Attempts;
  sealer: Sealer;
  courier: Courier;
  codes: OneTimeCodes;
  totp: Totp;
  recoveryCodes: RecoveryCodes;
  registration: Settings['registration'];
}

/** Wrong codes that a form takes before it is over. */
export const MAX_TRIES = 5;
const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
/** One address and nothing else: what could start another header or name is not in it. */
const EMAIL = /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}]+$/u;

/** Trimmed and in small letters, as addresses are stored; empty where the field is missing. */
export const emailIn = (fields: Fields, name: string) => (fields.get(name) ?? '').trim().toLowerCase();

/** The address field's fault; null when it is one address. The built-in administrator has no dot in his. */
export function emailProblem(name: string, email: string): FlowMessage | null {
  if (email === '') return missingField(name);
  if (email.length > MAX_EMAIL_LENGTH) return tooLong(MAX_EMAIL_LENGTH, email.length);
  return EMAIL.test(email) ? null : notAnEmail(email);
}

/** What is wrong with a first or last name; null for nothing. */
export function nameProblem(name: string, value: string): FlowMessage | null {
  if (value === '') return missingField(name);
  return value.length > MAX_NAME_LENGTH ? tooLong(MAX_NAME_LENGTH, value.length) : null;
}

/** The faults of a form by field; null when there are none. */
export function faultsOf(checked: Record<string, FlowMessage | null>): Record<string, FlowMessage[]> | null {
  const faults: Record<string, FlowMessage[]> = {};
  for (const [name, message] of Object.entries(checked)) if (message !== null) faults[name] = [message];
  return Object.keys(faults).length === 0 ? null : faults;
}

/** The form again with what is wrong; what was typed stays, but for secrets. */
export function refuseForm(flow: FlowRow, ui: FlowUi): Outcome {
  return { kind: 'form', isAccepted: false, flow: { ...flow, ui } };
}

/** The hidden field without which a form is not taken. */
export function csrfNode(flow: FlowRow, visitor: Visitor) {
  const value = csrfTokenOf(flow.id, visitor.csrfCookie ?? '');
  return inputNode(flow, { group: 'default', name: 'csrf_token', type: 'hidden', value, isRequired: true });
}

/** The device's token, made when it has none, and what a session stores of it. */
export function deviceOf(parts: KindParts, visitor: Visitor): { deviceToken: string; device: Device } {
  const deviceToken = visitor.deviceToken ?? parts.platform.secret(TOKEN_BYTES);
  const { sessionToken: previousToken, ip, userAgent } = visitor;
  return {
    deviceToken,
    device: { deviceMark: hashToken('device', deviceToken), previousToken, ip, userAgent },
  };
}

/** The question that starts a form which nobody asked for by its address. */
export function innerQuery(visitor: Visitor): StartQuery {
  return {
    returnTo: null,
    isRefresh: false,
    aal: 'aal1',
    invitation: null,
    linkToken: null,
    requestUrl: visitor.origin,
  };
}
