/** No secret that the server knows comes out in a line, in whatever form and wherever it stands there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskedLines } from './known-secrets.ts';

const secret = fc
  .tuple(fc.stringMatching(/^[0-9a-f]{10}$/), fc.string({ maxLength: 8, unit: 'binary-ascii' }))
  .map(([core, free]) => `k9${core}${free.replaceAll('\0', '')}Zq7`);

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
const signsEscaped = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, percent);
const FORMS: ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ text }),
  (text) => JSON.stringify(JSON.stringify({ text })),
  encodeURIComponent,
  signsEscaped,
  (text) => signsEscaped(signsEscaped(text)),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`me:${text}`).toString('base64'),
  (text) => encodeURIComponent(Buffer.from(`me:${text}`).toString('base64url')),
  (text) => Buffer.from(text).toString('hex'),
  (text) => new URLSearchParams({ text }).toString(),
];

const lines = fc.array(
  fc.record({
    before: fc.string({ maxLength: 20 }),
    which: fc.nat(2),
    form: fc.nat(FORMS.length - 1),
    isLabel: fc.boolean(),
    isName: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

test('secrets of connections, mounts and backends are masked in messages and fields', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(secret, secret, secret), lines, async (secrets, written) => {
      const [first, second, third] = secrets;
      const made = written.map(({ before, which, form, isLabel }) => {
        const text = `${before} ${FORMS[form]?.(secrets[which] ?? '') ?? ''}`;
        return { message: isLabel ? before : text, labels: { at: isLabel ? text : before } };
      });
      const masked = await maskedLines(made, { all: () => Promise.resolve([first, second]) }, [third]);
      for (const [at, { which, form }] of written.entries()) {
        const shown = JSON.stringify(masked[at]);
        const whole = FORMS[form]?.(secrets[which] ?? '') ?? '';
        expect(shown).toContain('***');
        expect(`${masked[at]?.message} ${masked[at]?.labels.at}`).not.toContain(whole);
      }
    }),
  );
});

test('lines without a secret stay the same objects', async () => {
  await fc.assert(
    fc.asyncProperty(
      secret,
      fc.array(fc.stringMatching(/^[a-z ]{0,30}$/), { maxLength: 5 }),
      async (known, texts) => {
        const made = texts.map((message) => ({ message, labels: { at: message } }));
        const masked = await maskedLines(made, { all: () => Promise.resolve([known]) }, []);
        expect(masked.every((line, at) => line === made[at])).toBe(true);
      },
    ),
  );
});
