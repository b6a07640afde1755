/** The answer of calls whose engine this version has not: 501 with the contract's error (contract §1.3). */
import type { FastifyReply } from 'fastify';

const NOT_IMPLEMENTED = 501;

export function answerNotImplemented(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(NOT_IMPLEMENTED).send({ error: 'not implemented', message });
}
