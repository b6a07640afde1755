import { describe, expect, it } from 'vitest';
import { lintYaml, parseYamlObject, schemaOf } from './yaml-lint.ts';

const SCHEMA = schemaOf({
  type: 'object',
  properties: { interval: { type: 'integer' }, http: { type: 'array', items: { type: 'object' } } },
  required: ['interval'],
  additionalProperties: false,
});

describe('the problems of a YAML text', () => {
  it('are where it does not parse', () => {
    const text = 'a: 1\nb: [1, 2\nc: 3';
    const [problem] = lintYaml(text, null);
    expect(text.slice(0, problem?.from).split('\n').length).toBeGreaterThan(1);
  });

  it('are where its schema refuses it', () => {
    const text = 'interval: soon\n';
    const [problem] = lintYaml(text, SCHEMA);
    expect(text.slice(problem?.from, problem?.to)).toBe('soon');
    expect(problem?.message).toMatch(/^interval: /);
  });

  it('name a key that nothing reads where it stands, and the one that was probably meant', () => {
    const text = 'interval: 1\nhtp:\n  - url: x\n';
    const [problem] = lintYaml(text, SCHEMA);
    expect(text.slice(problem?.from, problem?.to)).toBe('htp');
    expect(problem?.message).toBe('htp: is not a field here; did you mean "http"?');
  });

  it('are none for what the schema allows', () => {
    expect(lintYaml('interval: 30\nhttp:\n  - url: x\n', SCHEMA)).toEqual([]);
  });

  it('are none for an empty text, and for one without a schema', () => {
    expect(lintYaml('', SCHEMA)).toEqual([]);
    expect(lintYaml('x: 1', null)).toEqual([]);
  });
});

describe('a spec', () => {
  it('that is empty is an empty object', () => {
    expect(parseYamlObject('  \n')).toEqual({ ok: true, value: {} });
  });

  it('names the line where it does not parse', () => {
    const parsed = parseYamlObject('a: 1\nb: [1');
    expect(parsed.ok ? '' : parsed.message).toMatch(/line \d/);
  });

  it('is an object, not a list or a text', () => {
    expect(parseYamlObject('- 1').ok).toBe(false);
    expect(parseYamlObject('text').ok).toBe(false);
  });

  it('does not unfold a bomb of aliases', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => {
        const before = ['a', 'b', 'c', 'd', 'e', 'f'][at];
        return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
      }),
    ].join('\n');
    expect(parseYamlObject(bomb)).toEqual({ ok: false, message: expect.stringMatching(/^Too many aliases/) });
  });
});
