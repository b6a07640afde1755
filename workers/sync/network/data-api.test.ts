/** Ids may come from addresses that somebody typed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDataApi, rowById } from './data-api.ts';
import type { HttpClient } from './http-client.ts';

const ROW = { id: '00000000-0000-4000-8000-00000000000a' };

/** A server that has that row, and notes what it was asked. */
function serverWithRow() {
  const asked: string[] = [];
  const http: HttpClient = {
    json: () => Promise.reject(new Error('not asked here')),
    send: async ({ path }) => {
      asked.push(path);
      return { status: 200, headers: new Headers(), text: JSON.stringify([ROW]) };
    },
  };
  return { api: createDataApi(http, 'http://data.test'), asked };
}

test('no row has an id that is none, and the server is not asked for it', async () => {
  const typed = fc.oneof(fc.string(), fc.constantFrom('abc', ROW.id.slice(1), `${ROW.id} `, 'undefined'));
  await fc.assert(
    fc.asyncProperty(typed, async (id) => {
      const { api, asked } = serverWithRow();
      await expect(rowById(api, { id, table: 'canaries' })).rejects.toMatchObject({ code: 'not_found' });
      expect(asked).toEqual([]);
    }),
  );
});

test('whatever version an id is of, the server is asked for it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uuid(), async (id) => {
      const { api, asked } = serverWithRow();
      expect(await rowById(api, { id, table: 'canaries' })).toEqual(ROW);
      expect(asked).toEqual([expect.stringContaining(id)]);
    }),
  );
});
