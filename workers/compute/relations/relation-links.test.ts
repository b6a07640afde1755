import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RelationLinks, type LinkRow } from './relation-links.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const row = fc.record({
  config_id: fc.constantFrom(...NAMES),
  related_id: fc.constantFrom(...NAMES),
  relation: fc.constantFrom('hard', 'uses', 'a:b', ''),
});
const idOf = ({ related_id, config_id, relation }: LinkRow) => `${related_id}:${config_id}:${relation}`;

function seen(links: RelationLinks, side: 'outgoing' | 'incoming'): string[] {
  return NAMES.flatMap((name) => {
    const found: string[] = [];
    links.visit(links.numberOf(name), side, (far, isHard) => {
      found.push(`${name} ${links.idOf(far)} ${isHard}`);
    });
    return found;
  }).toSorted();
}

test('whatever comes and goes, the links are those of the rows that are there', () => {
  const step = fc.tuple(fc.constantFrom('put', 'remove', 'look'), row);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.array(step, { maxLength: 40 }), (first, steps) => {
      const kept = new Map(first.map((one) => [idOf(one), one]));
      const links = new RelationLinks();
      links.fill([...kept.values()]);
      for (const [kind, one] of steps) {
        if (kind === 'put') {
          links.put(one);
          kept.set(idOf(one), one);
        } else if (kind === 'remove') {
          links.remove(idOf(one));
          kept.delete(idOf(one));
        } else seen(links, 'outgoing');
      }
      const rows = [...kept.values()];
      expect(links.size).toBe(rows.length);
      expect(seen(links, 'outgoing')).toEqual(
        rows.map((one) => `${one.config_id} ${one.related_id} ${one.relation === 'hard'}`).toSorted(),
      );
      expect(seen(links, 'incoming')).toEqual(
        rows.map((one) => `${one.related_id} ${one.config_id} ${one.relation === 'hard'}`).toSorted(),
      );
    }),
  );
});

test('an id that was never seen has no links, and gets some later', () => {
  const links = new RelationLinks();
  expect(seen(links, 'outgoing')).toEqual([]);
  links.put({ config_id: 'a', related_id: 'b', relation: 'hard' });
  expect(seen(links, 'incoming')).toEqual(['b a true']);
});
