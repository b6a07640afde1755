import { describe, expect, it } from 'vitest';
import { matchesLabels, parseLabelSelector } from './label-selector.ts';

function matches(selector: string, labels: Record<string, string> | null): boolean {
  const parsed = parseLabelSelector(selector);
  if (!parsed.ok) throw new Error(parsed.part);
  return matchesLabels(parsed.requirements, labels);
}

describe('a label selector', () => {
  it.each([
    ['a=1', { a: '1' }, true],
    ['a==1', { a: '2' }, false],
    ['a!=1', {}, true],
    ['a!=1', { a: '1' }, false],
    ['a in (1, 2),b=3', { a: '2', b: '3' }, true],
    ['a in (1,2),b=3', { a: '2' }, false],
    ['a notin (1,2)', { a: '3' }, true],
    ['a notin (1,2)', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '1' }, false],
    ['app.kubernetes.io/name=x-y', { 'app.kubernetes.io/name': 'x-y' }, true],
    ['', {}, true],
    ['a=', { a: '' }, true],
  ] as const)('%s on %j is %s', (selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });

  it('of a row without labels only lets through what asks for absence', () => {
    expect(matches('a!=1,!b', null)).toBe(true);
    expect(matches('a=1', null)).toBe(false);
  });

  it('does not take what every object has for a label', () => {
    expect(matches('constructor', {})).toBe(false);
  });

  it.each(['=1', 'a in 1', 'a in (1', 'a b', '(x)'])('refuses %s and names the part', (selector) => {
    expect(parseLabelSelector(`k=v,${selector}`)).toMatchObject({ ok: false });
  });
});
