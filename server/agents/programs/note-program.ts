/** Notes which program called with an agent's token, and refuses the second of two. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AgentProgram } from './agent-program.ts';
import { MESSAGES } from '../messages.ts';
import { afterCall, oneTooMany } from './programs.ts';
import type { KnownProgram, Programs } from './programs.ts';
import { lockPrograms, notePrograms } from './programs-query.ts';

interface KnownAgent {
  id: string;
  name: string;
}

interface Calling {
  agent: KnownAgent;
  program: AgentProgram;
  nowMs: number;
}

interface ProgramParts {
  db: Database;
  logger: Pick<Logger, 'warn'>;
}

const CONFLICT = 409;

/** What the program that goes on is told of the other one. */
export interface SecondProgram {
  hostname: string;
  since: string;
}

/** For the one that stands back; both hosts, so that people find the two. */
export function secondRefused(
  { name }: KnownAgent,
  first: { host: string; sinceMs: number | null },
): AppError {
  const since = first.sinceMs === null ? null : new Date(first.sinceMs).toISOString();
  return new AppError('conflict', MESSAGES.twoPrograms(name, first.host, since), { status: CONFLICT });
}

const told = (second: KnownProgram | null): SecondProgram | null =>
  second === null ? null : { hostname: second.host, since: new Date(second.sinceMs).toISOString() };

/** Throws `conflict` where this program is the second of two; else what it is to know of one. */
export async function noteProgram(
  { db, logger }: ProgramParts,
  { agent, program, nowMs }: Calling,
): Promise<SecondProgram | null> {
  const { before, after } = await db.transaction(async (tx) => {
    const known = await lockPrograms(tx, agent.id);
    const next = afterCall(known, program, nowMs);
    await notePrograms(tx, agent.id, next);
    return { before: known, after: next };
  });
  const second = oneTooMany(after, nowMs);
  if (second !== null && oneTooMany(before, nowMs)?.id !== second.id)
    logger.warn({ agent: agent.name, ...hostsOf(after) }, 'two programs call with the token of one agent');
  if (after.standsBack && after.first !== null) throw secondRefused(agent, after.first);
  return told(second);
}

const hostsOf = ({ first, second }: Programs) => ({ first: first?.host, second: second?.host });
