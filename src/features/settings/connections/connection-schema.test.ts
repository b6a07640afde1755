import { describe, expect, it } from 'vitest';
import { connectionValues } from '../../../domain/settings/connection-row.ts';
import { connectionType } from '../../../domain/settings/connection-types.ts';
import { connectionSchema, testFailure } from './connection-schema.ts';

describe('a connection’s form', () => {
  it('names every field that is missing, where it is', () => {
    const type = connectionType('postgres');
    if (type === undefined) throw new Error('no type');
    const issues = connectionSchema(type).safeParse(connectionValues(type, null)).error?.issues;
    expect(issues?.map(({ path }) => path.join('.'))).toEqual(['name', 'url', 'username', 'password']);
    expect(new Set(issues?.map(({ message }) => message))).toEqual(new Set(['This field is required']));
  });
});

describe('a failed test of a connection', () => {
  const facts = { retryable: false, message: 'connection refused' };

  it('says what the server says was wrong', () => {
    expect(testFailure({ ...facts, code: 'invalid', status: 400 })).toBe('connection refused');
  });

  it('says that the type cannot be tested', () => {
    expect(testFailure({ ...facts, code: 'server', status: 501 })).toBe(
      'We currently do not support testing this connection type',
    );
  });

  it('says no more than that it failed for anything else', () => {
    expect(testFailure({ ...facts, code: 'server', status: 500 })).toBe('Testing connection failed!');
  });
});
