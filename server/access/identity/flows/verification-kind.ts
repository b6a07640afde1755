/** Verification: a code by mail shows that whoever has an account reads its address. It signs nobody in. */
import { markVerified } from '../queries/administration-query.ts';
import type { CodeRow } from '../queries/code-query.ts';
import type { FlowKind, FlowSeed, Outcome, Visitor } from './flow-kind.ts';
import { LABELS, MESSAGES } from './flow-messages.ts';
import { linkNode } from './flow-nodes.ts';
import type { FlowRow } from './flow-query.ts';
import { sowFlow } from './flow-service.ts';
import { csrfNode, innerQuery, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { mailedCodeNodes, startMailedCode, submitMailedCode } from './mailed-code.ts';
import type { MailedCode } from './mailed-code.ts';

const PAGE = '/verification';

async function verified(
  parts: KindParts,
  { flow, code }: { flow: FlowRow; code: CodeRow },
): Promise<Outcome> {
  const at = { address: code.address, now: new Date(parts.platform.now()) };
  // The account may have taken another address since.
  if ((await markVerified(parts.db, code.identity_id, at)) !== 1) {
    return refuseForm(flow, { messages: [MESSAGES.wrongCodeOfVerification] });
  }
  const ui = { messages: [MESSAGES.verified] };
  return { kind: 'form', isAccepted: true, flow: { ...flow, state: 'passed_challenge', ui } };
}

const VERIFICATION: MailedCode = {
  purpose: 'verification',
  codeLabel: LABELS.codeOfVerification,
  sent: MESSAGES.verificationSent,
  wrongCode: MESSAGES.wrongCodeOfVerification,
  wrongLink: MESSAGES.wrongVerificationLink,
  proven: verified,
};

/** Mails a code to a new address; answers where its owner enters it, as the identity provider words that. */
export async function askToVerify(
  parts: KindParts,
  { identityId, address }: { identityId: string; address: string },
  visitor: Visitor,
) {
  const seed: FlowSeed = {
    state: 'sent_email',
    context: { address },
    ui: { messages: [MESSAGES.verificationSent] },
  };
  const flow = await sowFlow(parts, { kind: 'verification', seed, query: innerQuery(visitor) }, visitor);
  await parts.db.transaction((tx) =>
    parts.codes.send(tx, { purpose: 'verification', flowId: flow.id, identityId, address }),
  );
  parts.courier.wake();
  return {
    action: 'show_verification_ui',
    flow: { id: flow.id, verifiable_address: address, url: `${visitor.origin}${PAGE}?flow=${flow.id}` },
  };
}

/** Open to everybody, signed in or not. */
export function createVerificationKind(parts: KindParts): FlowKind {
  return {
    name: 'verification',
    page: PAGE,
    start: (query) => startMailedCode(parts, VERIFICATION, query),
    guard: () => null,
    nodes: (flow, visitor) => {
      if (flow.state !== 'passed_challenge')
        return Promise.resolve(mailedCodeNodes(VERIFICATION, flow, visitor));
      const href = flow.return_to ?? '/';
      return Promise.resolve([
        csrfNode(flow, visitor),
        linkNode('code', { id: 'continue', href, label: LABELS.proceed }),
      ]);
    },
    submit: (flow, fields, visitor) =>
      flow.state === 'passed_challenge'
        ? Promise.resolve({ kind: 'form', isAccepted: true, flow })
        : submitMailedCode(parts, { kind: VERIFICATION, flow, fields }, visitor),
  };
}
