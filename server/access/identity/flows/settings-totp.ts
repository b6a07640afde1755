/** The authenticator app: shown as a picture and as text until a code proves that it was scanned. */
import { secondFactorMail } from '../../../platform/mail/mail-texts.ts';
import { QR_SIZE_PX } from '../codes/totp.ts';
import type { Outcome } from './flow-kind.ts';
import { LABELS, MESSAGES, missingField, totpSecretText } from './flow-messages.ts';
import { imageNode, inputNode, textNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { spendTry } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import { deviceOf, MAX_TRIES, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { refusalUnlessPrivileged, saved } from './settings-change.ts';
import type { SettingsChange, SettingsView } from './settings-change.ts';

const GROUP = 'totp';
const CODE_FIELD = 'totp_code';

function secretOf({ sealer }: KindParts, flow: FlowRow): string | null {
  const { totp } = flow.context;
  return totp === undefined ? null : sealer.open(totp, `flow totp ${flow.identity_id ?? ''}`);
}

/** With an app linked the button that unlinks it, else picture and secret of a new one. */
export async function totpNodes(parts: KindParts, { flow, session }: SettingsView): Promise<FlowNode[]> {
  if (await parts.totp.isLinked(parts.db, session.person_id)) {
    const unlink = { name: 'totp_unlink', type: 'submit', value: 'true', label: LABELS.unlinkTotp } as const;
    return [inputNode(flow, { group: GROUP, ...unlink })];
  }
  const secret = secretOf(parts, flow);
  if (secret === null) return [];
  const src = await parts.totp.qrCode(secret, session.traits.email ?? '');
  const code = { name: CODE_FIELD, type: 'text', autocomplete: 'one-time-code', isRequired: true } as const;
  return [
    imageNode(GROUP, { id: 'totp_qr', src, sizePx: QR_SIZE_PX, label: LABELS.totpQr }),
    textNode(GROUP, { id: 'totp_secret_key', text: totpSecretText(secret), label: LABELS.totpSecret }),
    inputNode(flow, { group: GROUP, ...code, label: LABELS.verifyCode }),
    inputNode(flow, { group: GROUP, name: 'method', type: 'submit', value: GROUP, label: LABELS.save }),
  ];
}

async function unlink(parts: KindParts, { flow, session }: SettingsChange): Promise<Outcome> {
  const email = session.traits.email ?? '';
  await parts.db.transaction(async (tx) => {
    if (!(await parts.totp.unlink(tx, session.person_id))) return;
    await parts.courier.enqueue(tx, email, secondFactorMail('removed'));
  });
  parts.courier.wake();
  parts.logger.info({ personId: session.person_id }, 'authenticator app unlinked');
  const totp = parts.sealer.seal(parts.totp.newSecret(), `flow totp ${session.person_id}`);
  return saved(flow, { context: { ...flow.context, totp } });
}

/** Links or unlinks the app; needs a fresh sign-in, and five wrong codes end the form. */
export async function submitTotp(parts: KindParts, change: SettingsChange): Promise<Outcome> {
  const { flow, fields, session, visitor } = change;
  const refusal = refusalUnlessPrivileged(parts, change);
  if (refusal !== null) return refusal;
  if (fields.get('totp_unlink') === 'true') return unlink(parts, change);
  const code = fields.get(CODE_FIELD) ?? '';
  if (code.trim() === '') return refuseForm(flow, { fields: { [CODE_FIELD]: [missingField(CODE_FIELD)] } });
  if ((await spendTry(parts.db, flow.id, MAX_TRIES)) !== 1) return { kind: 'dead' };
  const identityId = session.person_id;
  const secret = secretOf(parts, flow);
  const step = secret === null ? null : parts.totp.stepOf(secret, code);
  if (secret === null || step === null || (await parts.totp.isLinked(parts.db, identityId))) {
    return refuseForm(flow, { fields: { [CODE_FIELD]: [MESSAGES.wrongTotp] } });
  }
  await parts.db.transaction(async (tx) => {
    await parts.totp.link(tx, { identityId, secret, step });
    await parts.courier.enqueue(tx, session.traits.email ?? '', secondFactorMail('added'));
  });
  parts.courier.wake();
  parts.logger.info({ personId: identityId }, 'authenticator app linked');
  // Who showed the code has shown the second factor; the account's other sessions have not.
  const { deviceToken, device } = deviceOf(parts, visitor);
  const shown = { method: GROUP, aal: 'aal2' } as const;
  const { deviceMark } = device;
  const renewed = await parts.sessions.renew({ sessionId: session.session_id, deviceMark, shown });
  const { totp: _used, ...context } = flow.context;
  return saved(flow, { context, cookies: { sessionToken: renewed.token, deviceToken } });
}
