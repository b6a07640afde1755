/**
 * The lines of agents to this server, over which their clusters are called. Invariants: one for each agent, the newest;
 * what is written of it in the database is this server's own.
 */
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { CHANNEL_SETTINGS, keepAlive } from './channel-protocol.ts';
import { lineSocket } from './line-socket.ts';
import { noteLine, noteLineGone } from './channel-query.ts';

interface ChannelDeps {
  platform: Pick<Platform, 'now' | 'sleep' | 'secret'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  hostname: string;
}

interface ChannelParts {
  db: Database;
  notify: (table: string) => void;
}

export interface AgentChannels {
  /** As other servers of this database know this one: `host#` and what tells it from others there. */
  server: string;
  /** Null where the agent has no line to this server. */
  of: (agentId: string) => ClientHttp2Session | null;
  /** Takes a line that was opened; resolves when it has ended. */
  hold: (parts: ChannelParts, agent: { id: string; name: string }, line: Duplex) => Promise<void>;
  closeAll: () => void;
}

const MARK_BYTES = 4;
/** An agent that opened a line serves it at once. */
const BEGIN_MS = 20_000;

/** One for each process. */
export function createAgentChannels({ platform, logger, hostname }: ChannelDeps): AgentChannels {
  const sessions = new Map<string, ClientHttp2Session>();
  const server = `${hostname}#${platform.secret(MARK_BYTES)}`;

  const opened = (line: Duplex) =>
    new Promise<ClientHttp2Session>((resolve, reject) => {
      const session = connect('http://agent', {
        createConnection: () => line,
        settings: { ...CHANNEL_SETTINGS },
      });
      // The end of a line is told by `close`; whoever waits for an answer hears of it at his stream.
      session.on('error', reject);
      session.once('close', () => reject(new Error('the line was closed')));
      session.once('remoteSettings', () => resolve(session));
      const begun = new AbortController();
      for (const event of ['close', 'remoteSettings'] as const) session.once(event, () => begun.abort());
      void platform.sleep(BEGIN_MS, begun.signal).then(() => {
        if (!begun.signal.aborted) session.destroy();
      });
    });

  return {
    server,
    of: (agentId) => {
      const session = sessions.get(agentId);
      return session === undefined || session.closed || session.destroyed ? null : session;
    },
    async hold({ db, notify }, agent, line) {
      const session = await opened(await lineSocket(line));
      const ended = new Promise<void>((resolve) => session.once('close', resolve));
      sessions.get(agent.id)?.destroy();
      sessions.set(agent.id, session);
      void keepAlive(session, platform);
      try {
        await noteLine(db, agent.id, { server, at: new Date(platform.now()) });
        notify('agents');
        logger.info({ agent: agent.name }, 'the cluster of an agent can be reached');
        await ended;
      } finally {
        session.destroy();
        if (sessions.get(agent.id) === session) {
          sessions.delete(agent.id);
          await noteLineGone(db, agent.id, server).catch((error: unknown) =>
            logger.warn({ err: reasonOf(error), agent: agent.name }, 'the end of a line could not be noted'),
          );
          notify('agents');
        }
      }
    },
    closeAll: () => {
      for (const session of sessions.values()) session.destroy();
    },
  };
}
