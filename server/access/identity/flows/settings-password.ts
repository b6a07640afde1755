/** A new password: all other sessions and the access tokens of the account end, and this one gets another token. */
import { deleteTokensOf } from '../queries/access-token-query.ts';
import { updatePassword } from '../queries/identity-query.ts';
import { passwordChangedMail } from '../../../platform/mail/mail-texts.ts';
import { passwordProblem } from './password-rules.ts';
import { hashPassword } from '../accounts/passwords.ts';
import type { Outcome } from './flow-kind.ts';
import { LABELS } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { refusalUnlessPrivileged, saved } from './settings-change.ts';
import type { SettingsChange, SettingsView } from './settings-change.ts';

/** The field for a new password, and its button. */
export function passwordNodes({ flow }: SettingsView): FlowNode[] {
  const group = 'password';
  return [
    inputNode(flow, {
      group,
      name: 'password',
      type: 'password',
      isRequired: true,
      autocomplete: 'new-password',
      label: LABELS.password,
    }),
    inputNode(flow, { group, name: 'method', type: 'submit', value: 'password', label: LABELS.save }),
  ];
}

/** Needs a fresh sign-in. */
export async function submitPassword(parts: KindParts, change: SettingsChange): Promise<Outcome> {
  const { flow, fields, session } = change;
  const refusal = refusalUnlessPrivileged(parts, change);
  if (refusal !== null) return refusal;
  const password = fields.get('password') ?? '';
  const email = session.traits.email ?? '';
  const problem = passwordProblem(password, email);
  if (problem !== null) return refuseForm(flow, { fields: { password: [problem] } });
  const passwordHash = await hashPassword(password);
  const sessionToken = await parts.db.transaction(async (tx) => {
    await updatePassword(tx, session.person_id, passwordHash);
    await deleteTokensOf(tx, session.person_id);
    await parts.courier.enqueue(tx, email, passwordChangedMail());
    return parts.sessions.takeOver(tx, session);
  });
  parts.courier.wake();
  parts.logger.info({ personId: session.person_id }, 'password changed');
  return saved(flow, { cookies: { sessionToken } });
}
