/** A request's headers in the plain form that the data API reads. */
import type { FastifyRequest } from 'fastify';

/** Each header once, as text; a repeated one is a list. */
export function plainHeaders(request: FastifyRequest): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries);
}
