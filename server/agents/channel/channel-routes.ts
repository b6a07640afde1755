/**
 * `GET /api/upstream/cluster`: the WebSocket that an agent keeps open, over which its cluster is called. The agent's
 * right to it is judged again while it is open: it ends with its token, and with the agent.
 */
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { AppError, errorFacts } from '../../../src/contract/errors.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { UpgradedConnection } from '../../platform/http/upgraded-connection.ts';
import { MESSAGES } from '../messages.ts';
import type { KnownAgent } from '../upstream/agent-query.ts';
import { agentOf } from '../upstream/agent-of.ts';
import type { AgentChannels } from './agent-channels.ts';
import { CHANNEL_PATH, MAX_MESSAGE_BYTES } from './channel-protocol.ts';
import { programOf, type AgentProgram } from '../programs/agent-program.ts';
import { findLine } from './channel-query.ts';
import { secondRefused } from '../programs/note-program.ts';
import { oneTooMany } from '../programs/programs.ts';
import { findPrograms } from '../programs/programs-query.ts';

interface ChannelParts {
  db: Database;
  leases: Pick<Leases, 'take'>;
  notify: (table: string) => void;
}

type ChannelContext = RouteContext<ChannelParts>;

const UPGRADE_REQUIRED = 426;
const JUDGED_EVERY_MS = 30_000;

/** Ends the line once the agent may not have it any longer. */
async function judge(context: ChannelContext, request: FastifyRequest, socket: WebSocket): Promise<void> {
  const ended = new AbortController();
  socket.once('close', () => ended.abort());
  while (!ended.signal.aborted) {
    await context.platform.sleep(JUDGED_EVERY_MS, ended.signal);
    if (ended.signal.aborted) return;
    try {
      await agentOf(context, request);
    } catch (error) {
      const { code } = errorFacts(error);
      // A database that is away for a moment ends nothing.
      if (code !== 'unauthorized' && code !== 'forbidden') continue;
      context.logger.info({ code }, 'the line of an agent was ended');
      socket.terminate();
    }
  }
}

interface Opening {
  channels: AgentChannels;
  agent: KnownAgent;
  program: AgentProgram | null;
}

/** Throws `conflict` while another program has the agent's line, here or at another server of this database. */
async function refuseSecond(context: ChannelContext, { channels, agent, program }: Opening): Promise<void> {
  if (program === null) return;
  const { db } = context.backend();
  const programs = await findPrograms(db, agent.id);
  const first = programs.first ?? { host: '', sinceMs: null };
  const isSecond = oneTooMany(programs, context.platform.now())?.id === program.id;
  if (isSecond || (await channels.isTaken(agent.id, program.id)) || (await isTakenElsewhere()))
    throw secondRefused(agent, first);

  async function isTakenElsewhere(): Promise<boolean> {
    const line = await findLine(db, agent.name, new Date(0));
    const isOther = line !== null && line.cluster_program !== null && line.cluster_program !== program?.id;
    // A server that says where it is lives, and looks after its lines.
    return isOther && line.cluster_server !== channels.server && line.server_address !== null;
  }
}

/** `/api/upstream/cluster` */
export function registerChannelRoutes(
  app: FastifyInstance,
  context: ChannelContext,
  channels: AgentChannels,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    clientTracking: false,
  });
  const agents = new WeakMap<FastifyRequest, KnownAgent>();

  const take = async (request: FastifyRequest, upgraded: UpgradedConnection, agent: KnownAgent) => {
    upgraded.take();
    // The stream at once: what comes right after the handshake would find nobody.
    const { socket, line } = await new Promise<{ socket: WebSocket; line: Duplex }>((resolve) =>
      sockets.handleUpgrade(request.raw, upgraded.socket, upgraded.head, (opened) =>
        resolve({ socket: opened, line: createWebSocketStream(opened) }),
      ),
    );
    void judge(context, request, socket);
    line.on('error', (error) => context.logger.debug({ err: error, agent: agent.name }, 'a line was cut'));
    const program = programOf(request)?.id ?? null;
    await channels.hold(context.backend(), agent, { line, program });
  };

  app.addHook('preClose', async () => channels.closeAll());
  app.get(`/api/upstream/${CHANNEL_PATH}`, {
    onRequest: async (request) => {
      agents.set(request, await agentOf(context, request));
    },
    handler: async (request, reply) => {
      const { upgraded } = request;
      const agent = agents.get(request);
      if (agent === undefined) throw new AppError('forbidden', MESSAGES.noAgent);
      await refuseSecond(context, { channels, agent, program: programOf(request) });
      if (upgraded === null)
        throw new AppError('invalid', MESSAGES.webSocketOnly, { status: UPGRADE_REQUIRED });
      reply.hijack();
      take(request, upgraded, agent).catch((error: unknown) =>
        context.logger.info({ err: error, agent: agent.name }, 'the line of an agent could not be kept'),
      );
      return reply;
    },
  });
}
