/** What the routes of the built-in identity use. */
import type { RouteContext } from '../../request/route-context.ts';
import type { IdentityParts } from '../identity-parts.ts';
import type { Exchange } from './refuse.ts';

type Named = 'sessions' | 'flows' | 'accessTokens' | 'pageErrors' | 'identityOptions';

interface IdentityRouteParts extends Pick<IdentityParts, Named> {
  /** The mails of a demo, which go to a folder. */
  mailbox: Pick<IdentityParts['mailbox'], 'list'>;
}

export type IdentityContext = RouteContext<IdentityRouteParts>;

export type IdentityExchange = Exchange<IdentityRouteParts>;
