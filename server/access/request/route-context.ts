/**
 * What every route gets: who asks, whether he still waits, and the parts of the running program that the route names.
 * An area's routes name what they use and nothing else; the composition root has it all and hands it in.
 */
import type { FastifyRequest } from 'fastify';
import type { Transactions } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Principal } from '../identity/sessions/principal.ts';

export interface RequestSteps {
  authenticate: (request: FastifyRequest) => Promise<Principal>;
  /** Aborted when the request was closed before it was answered. */
  closed: (request: FastifyRequest) => AbortSignal;
  /** The database as the request's caller has it, who was authenticated before. */
  callerDatabase: (request: FastifyRequest) => Transactions;
}

export interface RouteContext<Parts = unknown> extends RequestSteps {
  platform: Platform;
  logger: Logger;
  /** The parts, or the refusal that says the server is still starting. */
  backend: () => Parts;
}
