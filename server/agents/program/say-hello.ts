/**
 * How an agent is known upstream: it says that it is there, and hears whether the token is its own. Nothing is pulled or
 * pushed under another agent's token, nor while another program with the same token was there first.
 */
import { AppError, errorFacts } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { MESSAGES } from '../messages.ts';
import { readBacklog } from './outgoing-query.ts';
import type { Pinged, UpstreamClient } from './upstream-client.ts';

interface HelloDeps {
  db: Database;
  client: Pick<UpstreamClient, 'ping'>;
  agentName: string | null;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export interface Hello {
  /** Answers the agent's name upstream; null where that is not said. Throws `conflict` where it has to stand back. */
  say: (stop: AbortSignal) => Promise<string | null>;
  /** Another program was there first, and still is, as far as was heard. */
  standsBack: () => boolean;
}

/** Of one program. */
export function createHello({ db, client, agentName, logger }: HelloDeps): Hello {
  let isSecond = false;
  let toldOf: string | null = null;

  const hear = ({ name, second_program: second }: Pinged): string | null => {
    if (isSecond) logger.info({ agent: name }, 'the other program with this token is gone: this one goes on');
    isSecond = false;
    const other = second?.hostname ?? null;
    if (other !== null && other !== toldOf)
      logger.warn({ agent: name, other, since: second?.since }, MESSAGES.secondTold);
    toldOf = other;
    if (name !== null && agentName !== null && agentName !== name)
      throw new AppError('forbidden', MESSAGES.otherAgent(name, agentName));
    return name;
  };

  return {
    standsBack: () => isSecond,
    async say(stop) {
      try {
        return hear(await client.ping(await readBacklog(db), stop));
      } catch (error) {
        const { code, message } = errorFacts(error);
        if (code === 'conflict' && !isSecond) {
          logger.warn({ reason: message }, 'this agent stands back');
          isSecond = true;
        }
        throw error;
      }
    },
  };
}
