/** No secret that the server knows comes out in a line, in whatever form and wherever it stands there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLine, givenMessage, MAX_LINE_CHARS } from './backends/log-backend.ts';
import { maskedLines, tellableWords } from './known-secrets.ts';

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

test('no place is asked to look for a part of a secret, in whatever form; for other words it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      secret,
      fc.nat(),
      fc.integer({ min: 4, max: 12 }),
      fc.constantFrom((text: string) => text, encodeURIComponent),
      async (own, from, length, form) => {
        const known = { all: () => Promise.resolve([own]) };
        const at = from % (own.length - length);
        const word = form(own)
          .slice(at, at + length)
          .toLowerCase();
        expect(await tellableWords([word, 'error', 'k9'], known, [])).toEqual(['error', 'k9']);
        expect(await tellableWords([word], { all: () => Promise.resolve([]) }, [own])).toEqual([]);
      },
    ),
  );
});

test('a secret across the place where a line is cut shows nothing of its beginning', async () => {
  const own = 'k9-secret-across-the-cut-Zq7';
  for (let before = MAX_LINE_CHARS - own.length - 1; before <= MAX_LINE_CHARS + 1; before += 1) {
    const line = { atMs: 0, labels: {}, ...givenMessage(`${'x'.repeat(before)}${own}${'y'.repeat(before)}`) };
    const [masked = line] = await maskedLines([line], { all: () => Promise.resolve([own]) }, []);
    const { message } = cutLine(masked);
    expect(message).not.toContain('k9');
    expect(message).toMatch(/cut here: this line has [\d,]+ characters$/);
  }
});
