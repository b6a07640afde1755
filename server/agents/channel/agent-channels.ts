/**
 * The lines of agents to this server, over which their clusters are called. Invariants: one for each agent; what is
 * written of it in the database is this server's own, and never over a newer line at another server. Where the operator
 * said how other servers reach this one, a lease says it to them while this server lives.
 */
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { CHANNEL_SETTINGS, isAnswering, keepAlive } from './channel-protocol.ts';
import { lineSocket } from './line-socket.ts';
import { lineToken, noteAddress, noteLine, noteLineGone, serverLease } from './channel-query.ts';

interface ChannelDeps {
  platform: Pick<Platform, 'now' | 'sleep' | 'secret'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  hostname: string;
  settings: { advertiseUrl?: string | null };
}

interface ChannelParts {
  db: Database;
  leases: Pick<Leases, 'take'>;
  notify: (table: string) => void;
}

export interface AgentChannels {
  /** As other servers of this database know this one: `host#` and what tells it from others there. */
  server: string;
  /** Null where the agent has no line to this server. */
  of: (agentId: string) => ClientHttp2Session | null;
  /** Whether another program has the agent's line to this server, and is there. */
  isTaken: (agentId: string, program: string) => Promise<boolean>;
  /** Takes a line that was opened; resolves when it has ended. */
  hold: (parts: ChannelParts, agent: { id: string; name: string }, line: OpenedLine) => Promise<void>;
  closeAll: () => void;
}

/** `program`: which one opened it; null where it does not say. */
export interface OpenedLine {
  line: Duplex;
  program: string | null;
}

interface HeldLine {
  session: ClientHttp2Session;
  program: string | null;
}

/** The lease is lost where the database is away for longer than it lasts, and then to be taken anew. */
const ANNOUNCE_EVERY_MS = 10_000;

/** Says where this server is while it has lines; at once back where that is said already. */
function createAnnouncer(server: string, { platform, logger, settings }: ChannelDeps) {
  const { advertiseUrl: address = null } = settings;
  let lease: Lease | null = null;
  let taking: Promise<void> = Promise.resolve();
  const take = async ({ db, leases }: ChannelParts) => {
    if (address === null || lease?.isHeld() === true) return;
    lease = await leases.take(serverLease(server));
    if (lease !== null) await noteAddress(db, lease, address);
  };
  const say = (parts: ChannelParts): Promise<void> => {
    // One at a time; how the one before ended was told to whoever asked for it.
    taking = taking.then(
      () => take(parts),
      () => take(parts),
    );
    return taking;
  };
  const stay = async (parts: ChannelParts, session: ClientHttp2Session): Promise<void> => {
    const ended = new AbortController();
    session.once('close', () => ended.abort());
    while (address !== null && !session.destroyed) {
      await platform.sleep(ANNOUNCE_EVERY_MS, ended.signal);
      await say(parts).catch((error: unknown) =>
        logger.warn({ err: reasonOf(error) }, 'other servers could not be told where this one is'),
      );
    }
  };
  return { say, stay };
}

const MARK_BYTES = 4;
/** An agent that opened a line serves it at once. */
const BEGIN_MS = 20_000;

/** The session on a line that was opened; throws where the agent does not serve it. */
function beginSession(line: Duplex, platform: Pick<Platform, 'sleep'>): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
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
}

/** One for each process. */
export function createAgentChannels(deps: ChannelDeps): AgentChannels {
  const { platform, logger, hostname } = deps;
  const lines = new Map<string, HeldLine>();
  const server = `${hostname}#${platform.secret(MARK_BYTES)}`;
  const announcer = createAnnouncer(server, deps);
  const sessionOf = (agentId: string): ClientHttp2Session | null => {
    const session = lines.get(agentId)?.session;
    return session === undefined || session.closed || session.destroyed ? null : session;
  };

  const keep = async (parts: ChannelParts, agent: { id: string; name: string }, held: HeldLine) => {
    const { db, notify } = parts;
    const token = await lineToken(db);
    await announcer.say(parts);
    const line = { server, token, at: new Date(platform.now()), program: held.program };
    if ((await noteLine(db, agent.id, line)) > 0) {
      notify('agents');
      logger.info({ agent: agent.name }, 'the cluster of an agent can be reached');
    } else held.session.destroy();
    return token;
  };

  return {
    server,
    of: sessionOf,
    async isTaken(agentId, program) {
      const session = sessionOf(agentId);
      const other = lines.get(agentId)?.program ?? null;
      return session !== null && other !== null && other !== program && isAnswering(session, platform);
    },
    async hold(parts, agent, { line, program }) {
      const session = await beginSession(await lineSocket(line), platform);
      const held = { session, program };
      const ended = new Promise<void>((resolve) => session.once('close', resolve));
      lines.get(agent.id)?.session.destroy();
      lines.set(agent.id, held);
      void keepAlive(session, platform);
      void announcer.stay(parts, session);
      let token: number | null = null;
      try {
        token = await keep(parts, agent, held);
        await ended;
      } finally {
        session.destroy();
        if (lines.get(agent.id) === held) lines.delete(agent.id);
        if (token !== null)
          await noteLineGone(parts.db, agent.id, token).catch((error: unknown) =>
            logger.warn({ err: reasonOf(error), agent: agent.name }, 'the end of a line could not be noted'),
          );
        parts.notify('agents');
      }
    },
    closeAll: () => {
      for (const { session } of lines.values()) session.destroy();
    },
  };
}
