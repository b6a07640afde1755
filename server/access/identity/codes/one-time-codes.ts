/**
 * Codes and links that prove that somebody reads an address. Invariants: six digits count only in the form that
 * asked for them, a link in any browser; each counts once and for an hour; for an address that nobody has the
 * same work is done and nothing is sent. Links lead to the configured address, never to one that a request names.
 */
import type { Database, Queryable } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  deleteOldCodes,
  endFlowCodes,
  findLink,
  insertCode,
  useFlowCode,
  useLink,
} from '../queries/code-query.ts';
import type { CodePurpose, CodeRow } from '../queries/code-query.ts';
import { linkMarkOf } from '../accounts/invitations.ts';
import type { Courier } from '../../../platform/mail/courier.ts';
import { recoveryMail, verificationMail } from '../../../platform/mail/mail-texts.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';

const VALID_MS = 3_600_000;
const KEPT_MS = 24 * 3_600_000;
const DIGITS = 6;
const SIX_DIGITS = /^\d{6}$/;
const RANDOM_BYTES = 6;

/** What was mailed to be typed, as against the token of a link. */
export const isShortCode = (typed: string) => SIX_DIGITS.test(typed.trim());

type MailedPurpose = Exclude<CodePurpose, 'invitation'>;

export interface CodeRequest {
  purpose: MailedPurpose;
  flowId: string;
  /** null for an address that nobody has. */
  identityId: string | null;
  address: string;
}

export interface OneTimeCodes {
  send(tx: Queryable, request: CodeRequest): Promise<void>;
  /** Uses up what was typed: six digits, or the token of a link. */
  use(
    tx: Queryable,
    typed: { purpose: MailedPurpose; flowId: string; code: string },
  ): Promise<CodeRow | null>;
  /** Whether a link's token is still good; uses nothing up. */
  isGood(purpose: MailedPurpose, token: string): Promise<boolean>;
}

/** Makes codes and mails them; `courier` sends later, so no answer waits for a mail server. */
export function createOneTimeCodes(deps: {
  db: Database;
  platform: Platform;
  sealer: Sealer;
  courier: Courier;
  publicUrl: () => string;
}): OneTimeCodes {
  const { db, platform, sealer, courier, publicUrl } = deps;
  const codeMarkOf = (flowId: string, code: string) => sealer.mark('code', flowId, code);
  const newCode = () => {
    const limit = 10 ** DIGITS;
    return String(Number.parseInt(platform.secret(RANDOM_BYTES), 16) % limit).padStart(DIGITS, '0');
  };
  return {
    async send(tx, { purpose, flowId, identityId, address }) {
      const nowMs = platform.now();
      const code = newCode();
      const token = platform.secret(TOKEN_BYTES);
      await deleteOldCodes(tx, new Date(nowMs - KEPT_MS));
      await endFlowCodes(tx, flowId, new Date(nowMs));
      await insertCode(tx, {
        id: platform.newId(),
        purpose,
        identityId,
        flowId,
        address,
        codeMark: codeMarkOf(flowId, code),
        linkMark: linkMarkOf(token),
        expiresAt: new Date(nowMs + VALID_MS),
      });
      const link = `${publicUrl()}/api/.ory/self-service/${purpose}?token=${token}`;
      const mail = purpose === 'recovery' ? recoveryMail({ code, link }) : verificationMail({ code, link });
      await courier.enqueue(tx, identityId === null ? null : address, mail);
    },
    use(tx, { purpose, flowId, code }) {
      const nowAt = new Date(platform.now());
      const typed = code.trim();
      return isShortCode(typed)
        ? useFlowCode(tx, { purpose, nowAt, flowId, codeMark: codeMarkOf(flowId, typed) })
        : useLink(tx, { purpose, nowAt, linkMark: linkMarkOf(typed) });
    },
    isGood: async (purpose, token) => {
      const nowAt = new Date(platform.now());
      return (await findLink(db, { purpose, nowAt, linkMark: linkMarkOf(token) })) !== null;
    },
  };
}
