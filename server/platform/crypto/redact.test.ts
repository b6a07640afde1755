/** No form in which an answer repeats a secret gets through, and ordinary text stays as it is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, maybeIn } from './redact.ts';

/** Strong enough not to occur by itself; with signs that every escape writes differently. */
const strong = fc
  .tuple(
    fc.string({ minLength: 0, maxLength: 12, unit: 'binary-ascii' }),
    fc.stringMatching(/^[0-9a-f]{12}$/),
  )
  .map(([free, core]) => `k9${core}${free.replaceAll('\0', '')}Zq7`);

const FORMS: Record<string, (secret: string, around: string) => string> = {
  plain: (secret, around) => `${around}${secret}${around}`,
  base64: (secret, around) => Buffer.from(`${around}${secret}${around}`).toString('base64'),
  base64url: (secret, around) => Buffer.from(`${around}${secret}${around}`).toString('base64url'),
  percent: (secret, around) => `/x?${around}=${encodeURIComponent(secret)}`,
  percentLower: (secret) => encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  percentTwice: (secret, around) => encodeURIComponent(`/${around}/${encodeURIComponent(secret)}`),
  percentOfJson: (secret, around) => encodeURIComponent(JSON.stringify({ around, url: `/${secret}` })),
  percentOfUrlOfJson: (secret) =>
    encodeURIComponent(JSON.stringify({ url: encodeURIComponent(`/${secret}`) })),
  percentOfBase64: (secret) => encodeURIComponent(Buffer.from(`me:${secret}`).toString('base64')),
  form: (secret, around) => new URLSearchParams({ [around]: secret }).toString(),
  json: (secret, around) => JSON.stringify({ around, [secret]: secret }),
  jsonInJson: (secret, around) => JSON.stringify(JSON.stringify({ around, secret })),
  hex: (secret, around) => Buffer.from(`${around}${secret}`).toString('hex'),
};
const READ_BACK: ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text, 'base64').toString('latin1'),
  (text) => Buffer.from(text, 'base64url').toString('latin1'),
  (text) => Buffer.from(text, 'hex').toString('latin1'),
];

/** Every sign in percent escapes, also those that nobody has to escape. */
const escapedWhole = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCodePoint(byte);
      return /[A-Za-z0-9]/.test(sign) ? sign : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

test.each([...Object.keys(FORMS), 'escapedWhole'])(
  'where a secret stands as %s, it may be in the text',
  (form) => {
    fc.assert(
      fc.property(strong, fc.stringMatching(/^[a-z]{0,5}$/), (secret, around) => {
        const text = form === 'escapedWhole' ? escapedWhole(secret) : (FORMS[form]?.(secret, around) ?? '');
        const redactor = createRedactor();
        redactor.note(secret);
        // What the redactor finds, the quick look finds.
        if (redactor.text(text) !== text) expect(maybeIn(secret, text)).toBe(true);
        expect(redactor.text(text)).toContain('***');
      }),
    );
  },
);

test.each(Object.keys(FORMS))('a secret that is repeated as %s is taken out', (form) => {
  fc.assert(
    fc.property(strong, fc.stringMatching(/^[a-z]{0,5}$/), (secret, around) => {
      const redactor = createRedactor();
      redactor.note(secret);
      const cleaned = redactor.text(FORMS[form]?.(secret, around) ?? '');
      expect(cleaned).toContain('***');
      for (const read of READ_BACK) expect(read(cleaned)).not.toContain(secret.slice(0, 10));
    }),
  );
});

test('keys, lists and every depth are looked at; dates and numbers stay', () => {
  const redactor = createRedactor();
  redactor.note('s3cret-value');
  const at = new Date(0);
  const found = { 's3cret-value': [{ a: 'xs3cret-valuex', n: 1, at, none: null }] };
  expect(redactor.value(found)).toEqual({ '***': [{ a: 'x***x', n: 1, at, none: null }] });
});

test('a plain word is taken out where it signs in, and stays where it is a word', () => {
  const redactor = createRedactor();
  redactor.note('postgres');
  expect(redactor.text('the postgres server of postgresql')).toBe('the postgres server of postgresql');
  expect(redactor.text('postgres://postgres:postgres@db/x?password=postgres')).toBe(
    'postgres://postgres:***@db/x?password=***',
  );
  expect(redactor.value({ password: 'postgres', engine: 'postgres' })).toEqual({
    password: '***',
    engine: 'postgres',
  });
});

test('of a document that is a secret, each token in it is one too', () => {
  const redactor = createRedactor();
  redactor.note('users:\n- user:\n    token: eyJhbGciOiJSUzI1NiIsImtpZCI6\n');
  expect(redactor.text('Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6')).toBe('Bearer ***');
});
