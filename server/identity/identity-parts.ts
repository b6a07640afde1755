/** The built-in identity as one: sessions, sign-in forms and HTTP Basic over one database and one limiter. */
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { AccessTokens } from './access-tokens.ts';
import { createAdministration } from './administration.ts';
import type { Administration } from './administration.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';
import { createBasicSignIn } from './basic-sign-in.ts';
import type { BasicSignIn } from './basic-sign-in.ts';
import { createInvitations } from './invitations.ts';
import { createLoginFlows } from './login-flows.ts';
import type { LoginFlows } from './login-flows.ts';
import { createCourier } from './mail/courier.ts';
import type { Courier } from './mail/courier.ts';
import { createFileTransport, createSmtpTransport } from './mail/mail-transport.ts';
import type { MailTransport } from './mail/mail-transport.ts';
import { createSealer } from './sealing.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';

/** Per address (or known device) and account: enough for fingers that slip, far too few to guess. */
const ATTEMPTS = { attempts: 10, windowMs: 5 * 60_000 };

export interface IdentityParts {
  sessions: Sessions;
  loginFlows: LoginFlows;
  basic: BasicSignIn;
  accessTokens: AccessTokens;
  administration: Administration;
  courier: Courier;
}

export type IdentitySettings = Pick<
  Settings,
  'dataDir' | 'isDemo' | 'isAuthDemo' | 'registration' | 'smtpUrl' | 'smtpFrom'
>;

export interface IdentityDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  settings: IdentitySettings;
  /** What secrets are sealed with; see sealing.ts. */
  key: Buffer;
  /** Where people reach us; never taken from a request, whose sender could name any host. */
  publicUrl: () => string;
}

/** With --demo always files: a demo sends nothing to anybody. */
function transportOf({ settings, logger }: IdentityDeps): MailTransport {
  const { smtpUrl, smtpFrom: from, isDemo, dataDir } = settings;
  if (smtpUrl !== null && !isDemo) return createSmtpTransport({ url: smtpUrl, from });
  return createFileTransport({ folder: join(dataDir, 'mail'), from, isDemo, logger });
}

export function createIdentityParts(deps: IdentityDeps): IdentityParts {
  const { db, platform, logger, publicUrl } = deps;
  const limiter = createAttemptLimiter(platform, ATTEMPTS);
  const sessions = createSessions(db, platform);
  const sealer = createSealer(deps.key, platform);
  const courier = createCourier({ db, platform, logger, sealer, transport: transportOf(deps) });
  const accessTokens = createAccessTokens({ db, platform, limiter });
  const invitations = createInvitations({ platform, courier, publicUrl });
  return {
    sessions,
    loginFlows: createLoginFlows({ db, platform, sessions, limiter, logger }),
    basic: createBasicSignIn({ db, platform, limiter, accessTokens }),
    accessTokens,
    administration: createAdministration({ db, platform, invitations }),
    courier,
  };
}
