/** Backup recovery codes: made, shown once, and a second factor only after their owner said that he kept them. */
import { z } from 'zod';
import { secondFactorMail } from '../../../platform/mail/mail-texts.ts';
import type { ShownCode } from '../codes/recovery-codes.ts';
import type { Outcome } from './flow-kind.ts';
import { LABELS, missingField, recoveryCodesText } from './flow-messages.ts';
import type { FlowMessage } from './flow-messages.ts';
import { inputNode, textNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import type { FlowRow } from './flow-query.ts';
import { deviceOf, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { refusalUnlessPrivileged, saved } from './settings-change.ts';
import type { SettingsChange, SettingsView } from './settings-change.ts';

const GROUP = 'lookup_secret';
const codesSchema = z.array(z.string());

/** The codes that wait to be confirmed. */
function pendingOf({ sealer }: KindParts, flow: FlowRow): string[] | null {
  const { codes } = flow.context;
  if (codes === undefined) return null;
  return codesSchema.parse(JSON.parse(sealer.open(codes, `flow codes ${flow.identity_id ?? ''}`)));
}

function shown(codes: readonly ShownCode[]): FlowNode {
  return textNode(GROUP, {
    id: 'lookup_secret_codes',
    text: recoveryCodesText(codes),
    label: LABELS.codes,
  });
}

/** Codes in clear only while they wait to be confirmed, or when asked for with a fresh sign-in. */
export async function codesNodes(parts: KindParts, { flow, session }: SettingsView): Promise<FlowNode[]> {
  const button = (name: string, label: FlowMessage) =>
    inputNode(flow, { group: GROUP, name: `lookup_secret_${name}`, type: 'submit', value: 'true', label });
  const pending = pendingOf(parts, flow);
  if (pending !== null) {
    const codes = pending.map((code) => ({ code, usedAt: null }));
    return [shown(codes), button('confirm', LABELS.confirmCodes)];
  }
  const codes = await parts.recoveryCodes.list(parts.db, session.person_id);
  if (codes.length === 0) return [button('regenerate', LABELS.regenerateCodes)];
  const isShown = flow.context.isRevealed === true && parts.sessions.isPrivileged(session);
  if (!isShown) return [button('reveal', LABELS.revealCodes), button('disable', LABELS.disableCodes)];
  return [shown(codes), button('regenerate', LABELS.regenerateCodes), button('disable', LABELS.disableCodes)];
}

async function confirm(parts: KindParts, { flow, session, visitor }: SettingsChange): Promise<Outcome> {
  const pending = pendingOf(parts, flow);
  const { codes: _confirmed, ...context } = flow.context;
  if (pending === null) return saved(flow, { context });
  await parts.db.transaction(async (tx) => {
    await parts.recoveryCodes.store(tx, session.person_id, pending);
    await parts.courier.enqueue(tx, session.traits.email ?? '', secondFactorMail('added'));
  });
  parts.courier.wake();
  const { deviceToken, device } = deviceOf(parts, visitor);
  const { deviceMark } = device;
  const renewed = await parts.sessions.renew({
    sessionId: session.session_id,
    deviceMark,
    shown: { method: GROUP, aal: 'aal2' },
  });
  return saved(flow, { context, cookies: { sessionToken: renewed.token, deviceToken } });
}

async function disable(parts: KindParts, { flow, session }: SettingsChange): Promise<Outcome> {
  await parts.db.transaction(async (tx) => {
    await parts.recoveryCodes.disable(tx, session.person_id);
    await parts.courier.enqueue(tx, session.traits.email ?? '', secondFactorMail('removed'));
  });
  parts.courier.wake();
  const { codes: _dropped, isRevealed: _hidden, ...context } = flow.context;
  return saved(flow, { context });
}

/** A step of the form that changes nothing of the account yet. */
function turned(flow: FlowRow, context: FlowRow['context']): Outcome {
  return { kind: 'form', isAccepted: true, flow: { ...flow, state: 'show_form', context, ui: {} } };
}

/** Makes, confirms, shows or removes the codes, by which button was pressed; needs a fresh sign-in. */
export async function submitCodes(parts: KindParts, change: SettingsChange): Promise<Outcome> {
  const { flow, fields, session } = change;
  const refusal = refusalUnlessPrivileged(parts, change);
  if (refusal !== null) return refusal;
  const isPressed = (name: string) => fields.get(`lookup_secret_${name}`) === 'true';
  if (isPressed('confirm')) return confirm(parts, change);
  if (isPressed('disable')) return disable(parts, change);
  if (isPressed('reveal')) return turned(flow, { ...flow.context, isRevealed: true });
  if (isPressed('regenerate')) {
    const codes = JSON.stringify(parts.recoveryCodes.generate());
    const sealed = parts.sealer.seal(codes, `flow codes ${session.person_id}`);
    return turned(flow, { ...flow.context, codes: sealed });
  }
  return refuseForm(flow, { messages: [missingField('lookup_secret_confirm')] });
}
