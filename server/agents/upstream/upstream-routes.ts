/**
 * What agents call (schema §8.1): `/upstream/ping`, `push` and the pulls. An agent signs in with its token, by HTTP
 * Basic or as a bearer, before anything of a body is read; what it writes is its own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { handedProgressSchema, LONGEST_PULL_MS } from '../../../src/contract/http/playbooks/handed-action.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { openContent } from '../../platform/crypto/sealed-values.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HandedActions } from '../../playbooks/running/handed-actions.ts';
import { answerNotImplemented } from '../../platform/http/not-implemented.ts';
import { parse } from '../../platform/http/parse.ts';
import { programOf } from '../programs/agent-program.ts';
import { MESSAGES } from '../messages.ts';
import { PUSH_TABLES } from '../push-tables.ts';
import { agentOf } from './agent-of.ts';
import { noteHeard } from './agent-query.ts';
import type { KnownAgent } from './agent-query.ts';
import { noteProgram } from '../programs/note-program.ts';
import { canariesFor, scrapersFor } from './pull-query.ts';
import { parsePush, parseRemoval, tablesNotTaken } from './push-schema.ts';
import { MissingParents, removePushed, storePush } from './store-push.ts';

interface UpstreamParts {
  db: Database;
  outside: { sealer: Opener };
  notify: (table: string) => void;
  playbooks: { handed: HandedActions };
}

type UpstreamContext = RouteContext<UpstreamParts>;

const PATH = '/api/upstream';
/** Who follows these tables is told. */
const NOTIFIED = PUSH_TABLES.filter(({ name }) => name !== 'check_statuses');
/** Of a batch, sent and unpacked. */
const MAX_PUSH_BYTES = 8 * 1024 * 1024;
const MAX_TEXT = 200;
/** Deletions that were not committed yet when a pull was answered come with the next one. */
const PULL_OVERLAP_MS = 60_000;

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' });
const saidText = z.string().max(MAX_TEXT).nullish();
const pingSchema = z.object({
  version: saidText,
  hostname: saidText,
  /** By the agent's clock. */
  time: time.nullish(),
  /** What it has still to push. */
  backlog: z.object({ rows: z.int().min(0), since: time.nullable(), thinned: z.int().min(0) }).nullish(),
});
const pullSchema = z.object({
  since: time.optional(),
});

const takeSchema = z.object({
  /** The agent's own word for this very pull. */
  claim: z.guid().optional(),
  wait: z.coerce.number().int().min(0).max(LONGEST_PULL_MS).default(LONGEST_PULL_MS),
});

interface Call {
  agent: KnownAgent;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function ping(context: UpstreamContext, { agent, request }: Call) {
  const { version, hostname, time: said, backlog } = parse(pingSchema, request.body ?? {});
  const nowMs = context.platform.now();
  const skewMs = typeof said === 'string' ? Math.round(Date.parse(said) - nowMs) : null;
  const at = new Date(nowMs);
  const { db } = context.backend();
  const program = programOf(request);
  const { logger } = context;
  const second = program === null ? null : await noteProgram({ db, logger }, { agent, program, nowMs });
  await noteHeard(db, agent.id, {
    at,
    version: version ?? null,
    hostname: hostname ?? null,
    skewMs,
    backlog: backlog ?? null,
  });
  const answer = { agent_id: agent.id, name: agent.name, time: at.toISOString() };
  return second === null ? answer : { ...answer, second_program: second };
}

async function push(context: UpstreamContext, { agent, request, reply }: Call) {
  const { db, notify, playbooks } = context.backend();
  const refused = tablesNotTaken(request.body);
  if (refused.length > 0) return answerNotImplemented(reply, MESSAGES.notTaken(refused));
  const nowMs = context.platform.now();
  const batch = parsePush(request.body, nowMs);
  try {
    const stored = await storePush(db, { agentId: agent.id, batch, at: new Date(nowMs) });
    for (const { name, sentAs } of NOTIFIED) if ((stored[sentAs] ?? 0) > 0) notify(name);
    if ((stored['playbook_actions'] ?? 0) > 0) {
      playbooks.handed.wake();
      notify('playbook_runs');
    }
    return { stored };
  } catch (error) {
    if (!(error instanceof MissingParents)) throw error;
    // As agents read it: the keys as JSON within the text of `data`.
    const missing = Object.fromEntries([...error.missing].map(([table, ids]) => [table, [...ids]]));
    const data = JSON.stringify({ ids: error.ids, missing });
    return reply.code(409).send({ error: error.message, message: 'Conflict', data });
  }
}

async function remove(context: UpstreamContext, { agent, request, reply }: Call) {
  const { db, notify } = context.backend();
  const refused = tablesNotTaken(request.body);
  if (refused.length > 0) return answerNotImplemented(reply, MESSAGES.notTaken(refused));
  const at = new Date(context.platform.now());
  const removed = await removePushed(db, { agentId: agent.id, removed: parseRemoval(request.body), at });
  for (const { name } of NOTIFIED) if ((removed[name] ?? 0) > 0) notify(name);
  return { removed };
}

interface SealedRow {
  id: string;
  name: string;
  spec: unknown;
  sealed: Record<string, string>;
}

/** The rows with their secrets, as their agent needs them to run. */
function opened(opener: Opener, rows: readonly SealedRow[]): object[] {
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    spec: openContent(opener, { id: row.id, owner: row.name, content: row.spec, sealed }),
  }));
}

function pullRequestOf({ agent, request }: Call) {
  const { since } = parse(pullSchema, request.query);
  return { agentId: agent.id, since: since === undefined ? null : new Date(since) };
}

async function pullCanaries(context: UpstreamContext, call: Call) {
  const { db, outside } = context.backend();
  const before = new Date(context.platform.now() - PULL_OVERLAP_MS).toISOString();
  return { before, canaries: opened(outside.sealer, await canariesFor(db, pullRequestOf(call))) };
}

async function pullScrapers(context: UpstreamContext, call: Call) {
  const { db, outside } = context.backend();
  return opened(outside.sealer, await scrapersFor(db, pullRequestOf(call)));
}

/** Asked again with the same claim it is the same action, for an agent that did not hear the answer. */
async function takeAction(context: UpstreamContext, { agent, request, reply }: Call) {
  const { claim = null, wait } = parse(takeSchema, request.query);
  const asked = { claim, waitMs: wait, signal: context.closed(request) };
  const action = await context.backend().playbooks.handed.take(agent, asked);
  return action ?? reply.code(204).send();
}

async function progress(context: UpstreamContext, { agent, request }: Call) {
  const said = parse(handedProgressSchema, request.body ?? {});
  return { stop: await context.backend().playbooks.handed.progress(agent, said) };
}

/** `/api/upstream/ping`, `/push`, `/playbook-action`, `/canary/pull` and `/scrapeconfig/pull`. */
export function registerUpstreamRoutes(app: FastifyInstance, context: UpstreamContext): void {
  const agents = new WeakMap<FastifyRequest, KnownAgent>();
  // Before the body is read: nobody else makes this server unpack one.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    agents.set(request, await agentOf(context, request));
  };
  const answer =
    (work: (context: UpstreamContext, call: Call) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const agent = agents.get(request);
      if (agent === undefined) throw new AppError('forbidden', MESSAGES.noAgent);
      return work(context, { agent, request, reply });
    };

  const taken = { onRequest, bodyLimit: MAX_PUSH_BYTES, config: { takesAnyText: true as const } };
  app.route({ method: ['GET', 'POST'], url: `${PATH}/ping`, onRequest, handler: answer(ping) });
  app.post(
    `${PATH}/push`,
    { ...taken, decompress: { requestEncodings: ['gzip', 'identity'] } },
    answer(push),
  );
  app.delete(
    `${PATH}/push`,
    { ...taken, decompress: { requestEncodings: ['gzip', 'identity'] } },
    answer(remove),
  );
  app.get(`${PATH}/playbook-action`, { onRequest }, answer(takeAction));
  app.post(`${PATH}/playbook-action/progress`, taken, answer(progress));
  app.get(`${PATH}/canary/pull`, { onRequest }, answer(pullCanaries));
  app.get(`${PATH}/scrapeconfig/pull`, { onRequest }, answer(pullScrapers));
}
