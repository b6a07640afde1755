import fastify from 'fastify';
import { expect, it } from 'vitest';
import { DatabaseError, databaseErrorFacts } from '../platform/db/database-error.ts';
import { refusedByDatabase } from '../replication/data-api/parse/api-error.ts';
import { addErrorAnswers } from './error-answers.ts';

const databaseError = (sqlState: string) =>
  new DatabaseError({
    sqlState,
    message: 'password of the database',
    detail: null,
    hint: null,
    constraint: null,
    table: null,
    column: null,
  });

/** What a route answers that fails so, and how many lines the log has of it. */
async function answerTo(error: Error) {
  const logged: string[] = [];
  const app = fastify({ logger: { level: 'error', stream: { write: (line: string) => logged.push(line) } } });
  addErrorAnswers(app);
  app.get('/', () => Promise.reject(error));
  const { statusCode, headers, body } = await app.inject('/');
  return { status: statusCode, retryAfter: headers['retry-after'], body, lines: logged.length };
}

it.each([
  ['a lost connection', '08006', 503],
  ['too many connections', '53300', 503],
  ['a database that starts', '57P03', 503],
  ['a database that ends', '57P01', 503],
  ['a statement that outran its limit', '57014', 504],
  ['more than it is set up for', '53400', 500],
  ['a fault of ours', '42P17', 500],
])(
  '%s (%s) is answered with %d, by every route as by the data API, and stands in the log',
  async (_, sqlState, status) => {
    const error = databaseError(sqlState);
    const answer = await answerTo(error);
    expect(answer).toMatchObject({ status, lines: 1, retryAfter: status === 503 ? '1' : undefined });
    expect(answer.body).not.toContain('password');
    expect(refusedByDatabase(error).status).toBe(status);
  },
);

it.each(['ECONNREFUSED', 'ENOENT', 'EPIPE'])(
  '%s of the line to the database is a lost connection',
  async (code) => {
    const thrown = databaseErrorFacts(Object.assign(new Error('no line'), { code }));
    expect(await answerTo(new DatabaseError(thrown))).toMatchObject({ status: 503, lines: 1 });
  },
);
