import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplate, ticketUrl, valueAt } from './responder-template.ts';

const incident = { title: 'Shop is slow', tags: ['a', 'b'], count: 3, commander: { name: 'Ada' } };
const fill = (template: string) => renderTemplate(template, (path) => valueAt({ incident }, path));

describe('a template', () => {
  test.each([
    ['{{incident.title}}', 'Shop is slow'],
    ['{{ .incident.title }}', 'Shop is slow'],
    ['${incident.title}!', 'Shop is slow!'],
    ['{{incident.commander.name}}: {{incident.count}}', 'Ada: 3'],
    ['{{incident.tags}}', 'a, b'],
    ['{{incident.commander}}', ''],
    ['{{incident.nothing.at.all}}', ''],
    ['{{incident.constructor.name}}${incident.__proto__}', ''],
    ['{{1+1}} ${ } {{}}', '{{1+1}} ${ } {{}}'],
  ])('%s becomes %j', (template, text) => {
    expect(fill(template)).toBe(text);
  });

  test('is not read again in what was filled in', () => {
    expect(renderTemplate('{{a}}', (path) => (path[0] === 'a' ? '{{b}}' : 'no'))).toBe('{{b}}');
  });

  test('without placeholders stays as it is, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[{$]/.test(text)),
        (text) => {
          expect(fill(text)).toBe(text);
        },
      ),
    );
  });

  test('reaches own values only', () => {
    const names = fc.constantFrom('constructor', '__proto__', 'toString', 'valueOf', 'prototype');
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 4 }), (path) => {
        expect(fill(`{{incident.${path.join('.')}}}`)).toBe('');
      }),
    );
  });
});

describe('the page of a ticket', () => {
  test('is the template with the id in it, safely', () => {
    expect(ticketUrl('https://j.local/browse/{{external_id}}', 'OPS-1', null)).toBe(
      'https://j.local/browse/OPS-1',
    );
    expect(ticketUrl('https://j.local/{{.responder.externalId}}?x=1', 'a/../b&c', null)).toBe(
      'https://j.local/a%2F..%2Fb%26c?x=1',
    );
  });

  test('is what the system told when there is no template, or no id yet', () => {
    expect(ticketUrl(null, 'OPS-1', 'http://s/1')).toBe('http://s/1');
    expect(ticketUrl('https://j/{{id}}', null, 'http://s/1')).toBe('http://s/1');
    expect(ticketUrl(null, null, null)).toBeNull();
  });

  test.each(['javascript:alert(1)', 'data:text/html,{{id}}', '//evil', 'https://', 'https://a b', '{{id}}'])(
    'is never %s',
    (linkUrl) => {
      expect(ticketUrl(linkUrl, 'javascript:alert(1)', linkUrl)).toBeNull();
    },
  );
});
