/**
 * Invitations: a link for somebody whose account an administrator made. Opening it uses nothing up, because mail
 * scanners open links; setting the password does, once. Links lead to the address that the operator configured,
 * never to the one that a request names.
 */
import type { Queryable } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { insertCode } from '../queries/code-query.ts';
import type { Courier } from '../../../platform/mail/courier.ts';
import { invitationMail } from '../../../platform/mail/mail-texts.ts';
import { hashToken, TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';

const VALID_MS = 7 * 24 * 3_600_000;

export interface Invitations {
  /** Stores the invitation and queues its mail; answers the link. */
  create(tx: Queryable, to: { identityId: string; address: string }): Promise<string>;
  /** Call it when the transaction is through. */
  sent(): void;
}

/** What is stored of a link's token, whatever it is for. */
export function linkMarkOf(token: string): string {
  return hashToken('link', token);
}

/** Links are made of `publicUrl()` at the moment of the invitation. */
export function createInvitations(deps: {
  platform: Platform;
  courier: Courier;
  publicUrl: () => string;
}): Invitations {
  const { platform, courier, publicUrl } = deps;
  return {
    async create(tx, { identityId, address }) {
      const token = platform.secret(TOKEN_BYTES);
      await insertCode(tx, {
        id: platform.newId(),
        purpose: 'invitation',
        identityId,
        flowId: null,
        address,
        codeMark: null,
        linkMark: linkMarkOf(token),
        expiresAt: new Date(platform.now() + VALID_MS),
      });
      const link = `${publicUrl()}/api/.ory/self-service/registration/browser?invitation=${token}`;
      await courier.enqueue(tx, address, invitationMail({ link }));
      return link;
    },
    sent: () => courier.wake(),
  };
}
