import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReference, SECRET_STARS, shownSecret, writtenSecret } from './secret-value.ts';

const word = fc.string({ minLength: 1 });
const keyed = fc.record({ name: word, key: word });
const kept = fc.oneof(
  word.map((value) => ({ value })),
  keyed.map((secretKeyRef) => ({ valueFrom: { secretKeyRef } })),
  keyed.map((configMapKeyRef) => ({ valueFrom: { configMapKeyRef } })),
  keyed.map((helmRef) => ({ valueFrom: { helmRef } })),
  word.map((serviceAccount) => ({ valueFrom: { serviceAccount } })),
);

test('whatever says where a secret is, is shown as what it is and written back so', () => {
  fc.assert(
    fc.property(kept, (value) => {
      expect(writtenSecret(shownSecret(value))).toEqual(value);
    }),
  );
});

test('a plain text is a value, and nothing is nothing', () => {
  expect(shownSecret(8080)).toMatchObject({ kind: 'value', value: '8080' });
  expect(writtenSecret(shownSecret(undefined))).toBeUndefined();
});

test('where a secret is found is no secret: it is read while it is typed', () => {
  expect(['secret://jira/token', 'configmap://a/b', 'secret://'].map(isReference)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['hunter2', SECRET_STARS, '', 'https://secret://x', undefined, 7].some(isReference)).toBe(false);
});
