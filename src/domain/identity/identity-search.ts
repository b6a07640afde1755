/** The query string of the identity pages (spec 3 §2), and what of it a flow is asked with. */
import type { FlowKind } from './flow-reaction.ts';

const NAMES = [
  'flow',
  'return_to',
  'aal',
  'refresh',
  'username',
  'password',
  /** A link from an e-mail, or an invitation. */
  'code',
  'token',
  'after_verification_return_to',
] as const;
export type IdentitySearch = Partial<Record<(typeof NAMES)[number], string>>;

/** What a flow of each kind understands when it is opened (contract §2.2). */
const ASKED: Readonly<Record<FlowKind, readonly (typeof NAMES)[number][]>> = {
  login: ['refresh', 'aal', 'return_to'],
  registration: ['return_to', 'after_verification_return_to', 'token'],
  recovery: ['return_to', 'token', 'code'],
  verification: ['return_to', 'token', 'code'],
  settings: ['return_to'],
};

function keep(search: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') kept[name] = value;
  }
  return kept;
}

/** Known names only, as texts. */
export function parseIdentitySearch(search: Readonly<Record<string, unknown>>): IdentitySearch {
  return keep(search, NAMES);
}

/** The part that a new flow is opened with. */
export function flowQuery(kind: FlowKind, search: IdentitySearch): Record<string, string> {
  return keep(search, ASKED[kind]);
}
