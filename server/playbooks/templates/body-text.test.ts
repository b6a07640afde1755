import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyTextFor, formText, xmlText } from './body-text.ts';
import type { TemplatePiece } from './template-pieces.ts';

const text = (value: string): TemplatePiece => ({ kind: 'text', text: value });
const given = (value: string): TemplatePiece => ({ kind: 'value', value });
/** Of what a form can say: a character that is none becomes its mark. */
const anything = fc.string({ unit: 'binary' });

const wellFormed = (value: string) => Buffer.from(value, 'utf8').toString('utf8');

test('a value of a form is one value, whatever it is', () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      const body = new URLSearchParams(formText([text('a='), given(a), text('&b=x'), given(b)]));
      expect([...body.keys()]).toEqual(['a', 'b']);
      expect([body.get('a'), body.get('b')]).toEqual([wellFormed(a), `x${wellFormed(b)}`]);
    }),
  );
});

test('a value in XML is no markup, and reads as it was given', () => {
  const read = (xml: string) =>
    xml.replaceAll(
      /&(amp|lt|gt|quot|apos);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '',
    );
  fc.assert(
    fc.property(anything, (value) => {
      const body = xmlText([text('<a b="'), given(value), text('"/>')]);
      const inside = body.slice('<a b="'.length, -'"/>'.length);
      expect(inside).not.toMatch(/[<>"']/);
      expect(read(inside)).toBe(value);
    }),
  );
});

test.each([
  ['application/x-www-form-urlencoded; charset=utf-8', 'a={{.params.a}}', formText],
  ['application/soap+xml', '{{.params.a}}', xmlText],
  ['', '  <?xml version="1.0"?><a/>', xmlText],
  ['text/plain', 'a={{.params.a}}', null],
  ['', 'I am < you', null],
])('%s %s', (contentType, template, form) => {
  expect(bodyTextFor(contentType, template)).toBe(form);
});
