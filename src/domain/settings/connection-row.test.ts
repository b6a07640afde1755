import { describe, expect, it, test } from 'vitest';
import {
  carriedValues,
  connectionColumns,
  connectionValues,
  missingFields,
  wrongNumbers,
} from './connection-row.ts';
import type { ConnectionType } from './connection-fields.ts';
import { CONNECTION_TYPES, connectionType } from './connection-types.ts';

const typeOf = (name: string): ConnectionType => {
  const type = connectionType(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
};

/** A form with something in every field. */
function filled(type: ConnectionType) {
  const values = connectionValues(type, null);
  values.name = 'main';
  for (const { at, kind, options } of type.fields) {
    const value = kind === 'check' ? true : kind === 'number' ? '8443' : (options?.[0] ?? `value of ${at}`);
    if (at.startsWith('properties.')) values.properties[at.slice(11)] = value;
    else values[at] = value;
  }
  return values;
}

describe('every kind of connection', () => {
  it.each(CONNECTION_TYPES.map(({ type }) => [type]))(
    '%s gives back on editing what was saved, in every field',
    (name) => {
      const type = typeOf(name);
      const values = filled(type);
      const row = connectionColumns(type, values);
      expect(connectionValues(type, row)).toEqual(values);
      expect(missingFields(type, values)).toEqual([]);
    },
  );

  it.each(CONNECTION_TYPES.map(({ type }) => [type]))('%s keeps its namespace', (name) => {
    const type = typeOf(name);
    expect(connectionColumns(type, { ...filled(type), namespace: 'ops' })).toMatchObject({
      namespace: 'ops',
    });
  });

  it.each(CONNECTION_TYPES.map(({ type }) => [type]))(
    '%s starts in namespace default, without a name',
    (name) => {
      const values = connectionValues(typeOf(name), null);
      expect(values.namespace).toBe('default');
      expect(missingFields(typeOf(name), values)).toContain('name');
    },
  );
});

test('properties that no field is for stay when it is changed', () => {
  const type = typeOf('s3');
  const row = {
    ...connectionColumns(type, filled(type)),
    properties: { endpoint: 'minio:9000', bucket: 'a' },
  };
  const values = connectionValues(type, row);
  values.properties['bucket'] = 'b';
  expect(connectionColumns(type, values, row)['properties']).toMatchObject({
    endpoint: 'minio:9000',
    bucket: 'b',
  });
});

describe('addresses that are made of values', () => {
  it('keep the placeholders of secrets, and encode what is filled in', () => {
    const type = typeOf('slack');
    const row = connectionColumns(type, { ...filled(type), username: 'a/b@c' });
    expect(row['url']).toBe('slack://$(password)@a%2Fb%40c');
  });

  it('of a generic webhook begin with the address that was typed', () => {
    const type = typeOf('generic_webhook');
    const values = filled(type);
    values.properties['url'] = 'https://hooks.example.test/x';
    expect(connectionColumns(type, values)['url']).toMatch(
      /^generic\+https:\/\/hooks\.example\.test\/x\?ContentType=/,
    );
  });

  it('of Ntfy are plain HTTP where TLS is not wanted', () => {
    const type = typeOf('ntfy');
    const schemes = [true, false].map((insecure) =>
      String(connectionColumns(type, { ...filled(type), insecure_tls: insecure })['url']).replace(
        /^.*\?/,
        '',
      ),
    );
    expect(schemes).toEqual(['Scheme=http', 'Scheme=https']);
  });

  it('of Zulip name the bot', () => {
    const type = typeOf('zulip_chat');
    expect(connectionColumns(type, { ...filled(type), username: 'bot@x.test' })['url']).toContain(
      'zulip://bot%40x.test:$(password)@',
    );
  });
});

describe('numbers', () => {
  it('are digits', () => {
    const type = typeOf('email');
    const values = filled(type);
    values.properties['port'] = 'smtp';
    expect(wrongNumbers(type, values)).toEqual(['properties.port']);
  });
});

describe('another type is chosen', () => {
  const pairs = CONNECTION_TYPES.flatMap((one) => CONNECTION_TYPES.map((other) => [one, other] as const));

  it('what was typed stays in every field that both have, and is there again when the first is chosen again', () => {
    for (const [one, other] of pairs) {
      const values = filled(one);
      const carried = carriedValues(other, [{ type: one, values }]);
      expect(carried.name).toBe('main');
      const fresh = connectionValues(other, null);
      for (const { at, kind } of other.fields) {
        const isBoth = one.fields.some((field) => field.at === at && field.kind === kind);
        const [now, typed, own] = [carried, values, fresh].map((all) =>
          at.startsWith('properties.') ? all.properties[at.slice(11)] : all[at],
        );
        expect(now, `${one.type} to ${other.type}: ${at}`).toEqual(isBoth ? typed : own);
      }
      const back = carriedValues(one, [
        { type: one, values },
        { type: other, values: carried },
      ]);
      expect(back, `${one.type} by ${other.type}`).toEqual(values);
    }
  });

  it('a default that nobody changed does not go along', () => {
    const left = { type: typeOf('sftp'), values: connectionValues(typeOf('sftp'), null) };
    expect(carriedValues(typeOf('smb'), [left]).properties['port']).toBe('445');
  });
});

describe('a number', () => {
  const numbers = CONNECTION_TYPES.flatMap((type) =>
    type.fields.filter(({ kind }) => kind === 'number').map(({ at }) => [type.type, at] as const),
  );

  it.each(numbers)('%s: %s stays one: digits are kept as they are, anything else is refused', (name, at) => {
    const type = typeOf(name);
    const values = filled(type);
    expect(wrongNumbers(type, values)).toEqual([]);
    expect(connectionValues(type, connectionColumns(type, values))).toEqual(values);
    for (const typed of ['84a', '1.5', '-1', '1e3']) {
      if (at.startsWith('properties.')) values.properties[at.slice(11)] = typed;
      else values[at] = typed;
      expect(wrongNumbers(type, values)).toEqual([at]);
    }
  });
});
