/** The built-in identity as one: sessions, sign-in forms and HTTP Basic over one database and one limiter. */
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';
import { createBasicSignIn } from './basic-sign-in.ts';
import type { BasicSignIn } from './basic-sign-in.ts';
import { createLoginFlows } from './login-flows.ts';
import type { LoginFlows } from './login-flows.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';

/** Per address (or known device) and account: enough for fingers that slip, far too few to guess. */
const ATTEMPTS = { attempts: 10, windowMs: 5 * 60_000 };

export interface IdentityParts {
  sessions: Sessions;
  loginFlows: LoginFlows;
  basic: BasicSignIn;
}

export function createIdentityParts(deps: {
  db: Database;
  platform: Platform;
  logger: Logger;
}): IdentityParts {
  const { db, platform, logger } = deps;
  const limiter = createAttemptLimiter(platform, ATTEMPTS);
  const sessions = createSessions(db, platform);
  return {
    sessions,
    loginFlows: createLoginFlows({ db, platform, sessions, limiter, logger }),
    basic: createBasicSignIn({ db, platform, limiter }),
  };
}
