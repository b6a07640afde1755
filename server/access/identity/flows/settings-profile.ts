/**
 * Name and e-mail. A new address counts at once, starts unproven, gets a code, and the former address is told:
 * who took over a session can't do that in silence.
 */
import { DatabaseError, UNIQUE_VIOLATION } from '../../../platform/db/database-error.ts';
import { setAddress, updateTraits } from '../queries/administration-query.ts';
import { addressChangedMail } from '../../../platform/mail/mail-texts.ts';
import type { Outcome } from './flow-kind.ts';
import { LABELS, MESSAGES } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { emailIn, emailProblem, faultsOf, nameProblem, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { refusalUnlessPrivileged, saved } from './settings-change.ts';
import type { SettingsChange, SettingsView } from './settings-change.ts';
import { askToVerify } from './verification-kind.ts';

/** The fields, filled with what the account says now. */
export function profileNodes({ flow, session }: SettingsView): FlowNode[] {
  const { email = '', name = {} } = session.traits;
  const group = 'profile';
  return [
    inputNode(flow, {
      group,
      name: 'traits.email',
      type: 'email',
      value: email,
      isRequired: true,
      autocomplete: 'email',
      label: LABELS.eMail,
    }),
    inputNode(flow, {
      group,
      name: 'traits.name.first',
      type: 'text',
      value: name.first ?? '',
      isRequired: true,
      autocomplete: 'given-name',
      label: LABELS.firstName,
    }),
    inputNode(flow, {
      group,
      name: 'traits.name.last',
      type: 'text',
      value: name.last ?? '',
      isRequired: true,
      autocomplete: 'family-name',
      label: LABELS.lastName,
    }),
    inputNode(flow, { group, name: 'method', type: 'submit', value: 'profile', label: LABELS.save }),
  ];
}

interface Profile {
  email: string;
  first: string;
  last: string;
}

/** Writes the profile; false when another account has the address. */
async function write(
  { db, courier }: KindParts,
  { session }: SettingsChange,
  { email, first, last }: Profile,
): Promise<boolean> {
  const before = session.traits.email ?? '';
  try {
    await db.transaction(async (tx) => {
      await updateTraits(tx, session.person_id, { email, name: { first, last } });
      await setAddress(tx, session.person_id, email);
      if (email !== before) await courier.enqueue(tx, before, addressChangedMail());
    });
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION) return false;
    throw error;
  }
  return true;
}

/** Another e-mail needs a fresh sign-in, another name doesn't. */
export async function submitProfile(parts: KindParts, change: SettingsChange): Promise<Outcome> {
  const { flow, fields, session, visitor } = change;
  const email = emailIn(fields, 'traits.email');
  const first = (fields.get('traits.name.first') ?? '').trim();
  const last = (fields.get('traits.name.last') ?? '').trim();
  const values = { 'traits.email': email, 'traits.name.first': first, 'traits.name.last': last };
  const faults = faultsOf({
    'traits.email': emailProblem('traits.email', email),
    'traits.name.first': nameProblem('traits.name.first', first),
    'traits.name.last': nameProblem('traits.name.last', last),
  });
  if (faults !== null) return refuseForm(flow, { values, fields: faults });
  const hasNewEmail = email !== session.traits.email;
  const refusal = hasNewEmail ? refusalUnlessPrivileged(parts, change) : null;
  if (refusal !== null) return refusal;
  if (!(await write(parts, change, { email, first, last }))) {
    return refuseForm(flow, { values, messages: [MESSAGES.taken] });
  }
  if (!hasNewEmail) return saved(flow);
  const identityId = session.person_id;
  return saved(flow, { continueWith: [await askToVerify(parts, { identityId, address: email }, visitor)] });
}
