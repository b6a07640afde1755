import { describe, expect, it } from 'vitest';
import { readSearchText } from './search-text.ts';
import { readSelector } from './resource-selector.ts';
import type { ResourceSelector } from './resource-selector.ts';

function termsOf(selector: ResourceSelector) {
  const reading = readSelector(selector);
  if (reading.kind !== 'terms') throw new Error(`no terms but ${reading.kind}`);
  return reading.terms;
}

describe('the search text', () => {
  it('without a pair is one beginning, spaces and commas included', () => {
    expect(readSearchText(' my app, two ')).toMatchObject({ prefix: 'my app, two', others: [], types: [] });
  });

  it('a star at the end says that it is a beginning', () => {
    expect(readSearchText('node*').prefix).toBe('node');
    expect(readSearchText('type=Pod no*').prefix).toBe('no');
    expect(readSearchText('no*de').prefix).toBe('no*de');
    expect(readSearchText('*').prefix).toBe('');
  });

  it('pairs name parts of the selector; other keys are labels', () => {
    expect(readSearchText('type=Pod,status=!x  NAME=api app=web tier!=db limit=5 front')).toEqual({
      name: 'api',
      types: ['Pod'],
      statuses: ['!x'],
      limit: 5,
      others: [
        { key: 'app', operator: 'in', values: ['web'] },
        { key: 'tier', operator: 'notin', values: ['db'] },
      ],
      prefix: 'front',
    });
  });

  it('types add up, of other parts the last counts, and a limit that is none is left out', () => {
    const read = readSearchText('type=a type!=b id=1 id=2 limit=many scope= ');
    expect(read).toMatchObject({ types: ['a', '!b'], id: '2', limit: null });
    expect(read.scope).toBeUndefined();
  });

  it('quotes keep spaces in a value', () => {
    expect(readSearchText('name="a b" app="c, d"')).toMatchObject({
      name: 'a b',
      others: [{ key: 'app', operator: 'in', values: ['c, d'] }],
    });
  });
});

describe('a selector', () => {
  it.each<ResourceSelector>([{}, { limit: 5, includeDeleted: true }, { name: ' ', types: [], search: '' }])(
    'that says nothing asks for nothing: %j',
    (selector) => expect(readSelector(selector)).toEqual({ kind: 'nothing' }),
  );

  it('tells which part it cannot read', () => {
    expect(readSelector({ name: 'x', labelSelector: 'a=1,b in (x' })).toEqual({
      kind: 'unreadable',
      field: 'labelSelector',
      part: 'b in (x',
    });
  });

  it('a short type stands for every type that ends in it, also when refused', () => {
    expect(termsOf({ types: ['Cluster', '!EC2::Instance', '!Pod'] }).types).toEqual({
      wanted: [
        { kind: 'exact', text: 'cluster' },
        { kind: 'suffix', text: '::cluster' },
      ],
      refused: [
        { kind: 'exact', text: 'ec2::instance' },
        { kind: 'exact', text: 'pod' },
        { kind: 'suffix', text: '::pod' },
      ],
    });
  });

  it('a name with a comma is a list, and may be meant as it stands', () => {
    expect(termsOf({ name: 'A, b*' }).name.wanted).toEqual([
      { kind: 'exact', text: 'a' },
      { kind: 'prefix', text: 'b' },
      { kind: 'exact', text: 'a, b*' },
    ]);
  });

  it('what the search names wins over the selector, and the rest of it is kept', () => {
    const terms = termsOf({ name: 'old', agent: 'ALL', types: ['x'], search: 'name=new type=y app=z' });
    expect(terms.name.wanted).toEqual([{ kind: 'exact', text: 'new' }]);
    expect(terms.agent).toBe('all');
    expect(terms.types.wanted).toContainEqual({ kind: 'exact', text: 'x' });
    expect(terms.types.wanted).toContainEqual({ kind: 'exact', text: 'y' });
    expect(terms.searched).toEqual([{ key: 'app', operator: 'in', values: ['z'] }]);
  });
});
