import fastify from 'fastify';
import { expect, test } from 'vitest';
import { acceptJsonOnly } from './create-server.ts';
import { addErrorAnswers } from './error-answers.ts';

test('a body with a character that no text holds is refused, but where each thing in it is refused by itself', async () => {
  const app = fastify();
  addErrorAnswers(app);
  acceptJsonOnly(app);
  app.post('/one', (request) => ({ taken: request.body }));
  app.post('/many', { config: { takesAnyText: true } }, (request) => ({ taken: request.body }));
  const statusOf = async (url: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url, headers, body });
    return [answer.statusCode, /has a character that text cannot hold/.test(answer.body)];
  };
  const refused = [400, true];
  expect(await statusOf('/one', String.raw`{"name":"a\u0000"}`)).toEqual(refused);
  expect(await statusOf('/one', String.raw`{"name":["\ud83d"]}`)).toEqual(refused);
  expect(await statusOf('/one', String.raw`{"name":"\ud83d\ude00 \\u0000"}`)).toEqual([200, false]);
  expect(await statusOf('/many', String.raw`{"name":"a\u0000"}`)).toEqual([200, false]);
  expect(await statusOf('/one', '{"name":')).toEqual([400, false]);
});
