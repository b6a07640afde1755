/**
 * What one server says to another one of its database with a person's call (docs/decisions/0091): in one header, sealed
 * with the key that the servers share, for that server, method and address alone. Invariants: the person's sign-in is
 * readable to that server only, and judged anew there; each counts once, and for half a minute; a call that came so is
 * never passed on again.
 */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Platform } from '../../platform/platform.ts';
import { MESSAGES } from '../messages.ts';

export const PEER_CALL = 'holdfast-peer-call';

/** Servers' clocks may differ by less. */
const COUNTS_MS = 30_000;
const MARK_BYTES = 16;

const saidSchema = z.strictObject({ authorization: z.string(), atMs: z.number(), mark: z.string() });

interface PeerCall {
  /** Whom it is for. */
  server: string;
  method: string;
  /** With the query, as it is sent. */
  url: string;
}

const purposeOf = ({ server, method, url }: PeerCall): string => `peer call\n${server}\n${method}\n${url}`;

/** The header's value. */
export function sealPeerCall(
  { sealer, platform }: { sealer: Pick<Sealer, 'seal'>; platform: Pick<Platform, 'now' | 'secret'> },
  call: PeerCall & { authorization: string },
): string {
  const { authorization } = call;
  const said = { authorization, atMs: platform.now(), mark: platform.secret(MARK_BYTES) };
  return sealer.seal(JSON.stringify(said), purposeOf(call));
}

export interface PeerCalls {
  /** Whether another server passed this call on: then the request signs in as the person did there. Throws `forbidden`. */
  admit: (opener: Opener, request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>) => boolean;
}

/** Of one server; it remembers which calls came. */
export function createPeerCalls(server: string, platform: Pick<Platform, 'now'>): PeerCalls {
  /** Until when each is remembered, the oldest first. */
  const seen = new Map<string, number>();
  const isNew = (mark: string, nowMs: number): boolean => {
    for (const [old, untilMs] of seen) {
      if (untilMs > nowMs) break;
      seen.delete(old);
    }
    if (seen.has(mark)) return false;
    seen.set(mark, nowMs + 2 * COUNTS_MS);
    return true;
  };

  const openCall = (opener: Opener, sealed: string, call: PeerCall) => {
    try {
      return saidSchema.parse(JSON.parse(opener.open(sealed, purposeOf(call))));
    } catch (error) {
      throw new AppError('forbidden', MESSAGES.noPeer, { cause: error });
    }
  };

  return {
    admit(opener, request) {
      const sealed = request.headers[PEER_CALL];
      if (typeof sealed !== 'string') return false;
      const { method = '', url = '' } = request;
      const { authorization, atMs, mark } = openCall(opener, sealed, { server, method, url });
      const nowMs = platform.now();
      if (Math.abs(nowMs - atMs) > COUNTS_MS || !isNew(mark, nowMs))
        throw new AppError('forbidden', MESSAGES.peerCallOver);
      request.headers.authorization = authorization;
      // Nothing else signs in.
      delete request.headers.cookie;
      return true;
    },
  };
}
