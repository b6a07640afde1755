import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unknownKeys } from './unknown-keys.ts';

const entry = z.strictObject({ url: z.string(), timeout: z.int().optional() });
const loose = z.looseObject({
  title: z.string().optional(),
  get parts() {
    return z.array(loose).optional();
  },
});
const SCHEMA = z.strictObject({
  http: z.array(entry).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  value: z.union([z.string(), z.strictObject({ name: z.string() })]).nullish(),
  tree: loose.optional(),
});
const found = (value: unknown, schema: z.ZodType = SCHEMA) =>
  unknownKeys(schema, value).map(({ path, meant }) => [path.join('.'), meant]);

describe('keys that a schema does not know', () => {
  it.each<[object, unknown[]]>([
    [{ htp: [] }, [['htp', 'http']]],
    [{ http: [{ urll: 'x' }] }, [['http.0.urll', 'url']]],
    [{ http: [{ url: 'x', urll: 'x' }] }, [['http.0.urll', null]]],
    [{ something: 1 }, [['something', null]]],
    [{ labels: { url: 'x', ur: 'y' } }, []],
    [{ value: 'text' }, []],
    [{ value: { nam: 'x' } }, [['value.nam', 'name']]],
    [{ tree: { titel: 'x', anything: 1 } }, []],
    [{ tree: { titl: 'x' } }, [['tree.titl', 'title']]],
    [{ tree: { parts: [{ parts: [{ tittle: 1 }] }] } }, [['tree.parts.0.parts.0.tittle', 'title']]],
  ])('%j', (value, expected) => expect(found(value)).toEqual(expected));

  it('are the same in a schema that went over the wire as JSON', () => {
    const sent = z.fromJSONSchema(
      // What is made of a schema of ours is one that zod reads.
      JSON.parse(JSON.stringify(z.toJSONSchema(SCHEMA, { io: 'input' }))) as Parameters<
        typeof z.fromJSONSchema
      >[0],
    );
    expect(found({ valu: 'x', http: [{ urll: 'x' }], labels: { x: 'y' } }, sent)).toEqual([
      ['valu', 'value'],
      ['http.0.urll', 'url'],
    ]);
  });

  it('are all that a closed schema refuses, and none of what it accepts', () => {
    const keys = fc.constantFrom('url', 'timeout', 'urll', 'other');
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(keys)), (entries) => {
        const http = entries.map((names) =>
          Object.fromEntries(names.map((name) => [name, name === 'timeout' ? 1 : 'x'])),
        );
        const refused = SCHEMA.safeParse({ http }).error?.issues.flatMap((issue) =>
          issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
        );
        expect(new Set(found({ http }).map(([path]) => path))).toEqual(new Set(refused));
      }),
    );
  });
});
