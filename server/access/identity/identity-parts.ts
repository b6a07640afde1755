/** The built-in identity as one: sessions, sign-in forms and HTTP Basic over one database and one limiter. */
import { join } from 'node:path';
import type { IdentityOptions } from '../../../src/contract/http/identity/identity.ts';
import type { LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createAccessTokens } from './sessions/access-tokens.ts';
import type { AccessTokens } from './sessions/access-tokens.ts';
import { createAdministration } from './accounts/administration.ts';
import type { Administration } from './accounts/administration.ts';
import { createBasicSignIn } from './sessions/basic-sign-in.ts';
import type { BasicSignIn } from './sessions/basic-sign-in.ts';
import { createInvitations } from './accounts/invitations.ts';
import { createAttempts } from './attempts/attempts.ts';
import { createFlowService } from './flows/flow-service.ts';
import type { FlowService } from './flows/flow-service.ts';
import type { KindParts } from './flows/kind-parts.ts';
import { createLoginKind } from './flows/login-kind.ts';
import { createRecoveryKind } from './flows/recovery-kind.ts';
import { createRegistrationKind } from './flows/registration-kind.ts';
import { createSettingsKind } from './flows/settings-kind.ts';
import { createVerificationKind } from './flows/verification-kind.ts';
import { createOneTimeCodes } from './codes/one-time-codes.ts';
import { createPageErrors } from './accounts/page-errors.ts';
import type { PageErrors } from './accounts/page-errors.ts';
import { createRecoveryCodes } from './codes/recovery-codes.ts';
import { createTotp } from './codes/totp.ts';
import { createCourier } from '../../platform/mail/courier.ts';
import type { Courier } from '../../platform/mail/courier.ts';
import { createFileTransport, createSmtpTransport } from '../../platform/mail/mail-transport.ts';
import type { MailTransport } from '../../platform/mail/mail-transport.ts';
import { createSealer } from '../../platform/crypto/sealing.ts';
import { createSessions } from './sessions/sessions.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface IdentityParts {
  sessions: Sessions;
  flows: FlowService;
  basic: BasicSignIn;
  accessTokens: AccessTokens;
  pageErrors: PageErrors;
  administration: Administration;
  courier: Courier;
  mailbox: MailTransport;
  identityOptions: IdentityOptions;
}

export type IdentitySettings = Pick<
  Settings,
  'dataDir' | 'isDemo' | 'isAuthDemo' | 'registration' | 'smtpUrl' | 'smtpFrom'
>;

export interface IdentityDeps extends LeaseQueueDeps {
  platform: Platform;
  settings: IdentitySettings;
  /** People sign in at a provider. */
  isHosted: boolean;
  /** Slug of the organisation whose backend this server is. */
  ownOrganization: string | null;
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

function createKinds(parts: KindParts) {
  return {
    login: createLoginKind(parts),
    registration: createRegistrationKind(parts),
    recovery: createRecoveryKind(parts),
    verification: createVerificationKind(parts),
    settings: createSettingsKind(parts),
  };
}

/** Wires them; nothing runs until it is used. */
export function createIdentityParts(deps: IdentityDeps): IdentityParts {
  const { db, platform, logger, publicUrl, settings } = deps;
  const { registration, isAuthDemo, isDemo } = settings;
  const attempts = createAttempts({ db, platform });
  const sessions = createSessions(db, platform, deps.ownOrganization);
  const sealer = createSealer(deps.key, platform);
  const mailbox = transportOf(deps);
  const courier = createCourier({ ...deps, sealer, transport: mailbox });
  const accessTokens = createAccessTokens({ db, platform, attempts });
  const invitations = createInvitations({ platform, courier, publicUrl });
  const kinds = createKinds({
    db,
    platform,
    logger,
    sessions,
    sealer,
    courier,
    registration,
    attempts,
    codes: createOneTimeCodes({ db, platform, sealer, courier, publicUrl }),
    totp: createTotp({ platform, sealer }),
    recoveryCodes: createRecoveryCodes({ platform, sealer }),
  });
  return {
    sessions,
    flows: createFlowService({ db, platform }, kinds),
    basic: createBasicSignIn({ db, platform, attempts, accessTokens }),
    accessTokens,
    pageErrors: createPageErrors({ sealer, platform }),
    administration: createAdministration({ db, platform, invitations }),
    courier,
    mailbox,
    identityOptions: { mode: deps.isHosted ? 'hosted' : 'basic', registration, isAuthDemo, isDemo },
  };
}
