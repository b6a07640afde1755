import { describe, expect, it, test } from 'vitest';
import { createRedactor } from '../platform/crypto/redact.ts';
import { noteLiterals, withoutSignIn } from './note-literals.ts';

const SECRET = 'hu5h-mark';
const found = (spec: unknown, text = SECRET) => {
  const redactor = createRedactor();
  noteLiterals(spec, redactor);
  return redactor.text(text) !== text;
};

describe('what is taken out of results', () => {
  it.each<[string, unknown]>([
    ['a password', { password: SECRET }],
    ['whatever lies below a telling name', { credentials: { user: [{ of: SECRET }] } }],
    ['the value beside a telling name', [{ name: 'X-Access-Token-2', value: SECRET }]],
    ['one that could be read as an address', { passcode: `${SECRET}:22` }],
    ['an address that is known by nobody else', { webhook: `https://hooks.example/${SECRET}` }],
    ['the password of an address', { url: `https://me:${SECRET}@a.example` }],
    ['a parameter of an address', { url: `https://a.example/?page=2&api_key=${SECRET}` }],
  ])('%s', (_what, spec) => {
    const [own = ''] = JSON.stringify(spec).match(/https:\/\/hooks[^"]*|hu5h-mark(?::22)?/) ?? [];
    expect(found(spec, own)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a name', { name: SECRET, secretRef: SECRET }],
    ['a reference', { password: { valueFrom: { secretKeyRef: { name: SECRET } } } }],
    ['labels', { labels: { token: SECRET } }],
    ['a plain parameter', { url: `https://a.example/?page=${SECRET}` }],
  ])('but not %s', (_what, spec) => {
    expect(found(spec)).toBe(false);
  });
});

test('an address is shown without what signs in, and with what is filled in later', () => {
  expect(withoutSignIn(`https://me:${SECRET}@a.example/x?token=${SECRET}&page=2`)).toBe(
    'https://***@a.example/x?token=***&page=2',
  );
  const plain = 'postgres://$(username):$(password)@db.example:5432/shop?sslmode=require';
  expect(withoutSignIn(plain)).toBe(plain);
});
