/**
 * The answer of calls whose engine this version has not: 501 with the contract's error (contract §1.3). The sentence
 * stands in `error`, as in all errors, because that is what clients show.
 */
import type { FastifyReply } from 'fastify';

const NOT_IMPLEMENTED = 501;

/** `message` says what can't be done here, in a sentence. */
export function answerNotImplemented(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(NOT_IMPLEMENTED).send({ error: message, message: 'Not Implemented' });
}
