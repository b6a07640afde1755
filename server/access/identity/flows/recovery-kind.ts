/**
 * Recovery: a code by mail opens a session that may set a new password for fifteen minutes. It replaces the
 * password only: where there is a second factor, that is asked for next.
 */
import { markVerified } from '../queries/administration-query.ts';
import { findActivePerson } from '../queries/identity-query.ts';
import type { CodeRow } from '../queries/code-query.ts';
import { SELF_SERVICE } from './flow-kind.ts';
import type { FlowKind, Outcome, Visitor } from './flow-kind.ts';
import { LABELS, MESSAGES } from './flow-messages.ts';
import type { FlowRow } from './flow-query.ts';
import { deviceOf, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { mailedCodeNodes, startMailedCode, submitMailedCode } from './mailed-code.ts';
import type { MailedCode } from './mailed-code.ts';
import { sessionThere } from './refusals.ts';

async function openRecovered(
  parts: KindParts,
  { flow, code }: { flow: FlowRow; code: CodeRow },
  visitor: Visitor,
): Promise<Outcome> {
  const identityId = code.identity_id;
  if ((await findActivePerson(parts.db, identityId)) === null) {
    return refuseForm(flow, { messages: [MESSAGES.wrongCodeOfRecovery] });
  }
  await markVerified(parts.db, identityId, { address: code.address, now: new Date(parts.platform.now()) });
  const { deviceToken, device } = deviceOf(parts, visitor);
  const shown = { method: 'code_recovery', aal: 'aal1' } as const;
  const { token: sessionToken } = await parts.sessions.open({ ...device, identityId, shown });
  parts.logger.info({ personId: identityId }, 'account recovered');
  const to = `${visitor.origin}${SELF_SERVICE}/settings/browser`;
  return { kind: 'moved', to, cookies: { sessionToken, deviceToken } };
}

const RECOVERY: MailedCode = {
  purpose: 'recovery',
  codeLabel: LABELS.codeOfRecovery,
  sent: MESSAGES.recoverySent,
  wrongCode: MESSAGES.wrongCodeOfRecovery,
  wrongLink: MESSAGES.wrongRecoveryLink,
  proven: openRecovered,
};

/** Refused to somebody who is signed in. */
export function createRecoveryKind(parts: KindParts): FlowKind {
  return {
    name: 'recovery',
    page: '/recovery',
    start: (query, { session }) =>
      session === null
        ? startMailedCode(parts, RECOVERY, query)
        : Promise.resolve({ kind: 'refused', refusal: sessionThere(query.returnTo) }),
    guard: () => null,
    nodes: (flow, visitor) => Promise.resolve(mailedCodeNodes(RECOVERY, flow, visitor)),
    submit: (flow, fields, visitor) => submitMailedCode(parts, { kind: RECOVERY, flow, fields }, visitor),
  };
}
