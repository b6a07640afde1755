import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstOverlap, freePlace, isWithinBoard, overlap, roomByHalving, withCells } from './board.ts';
import type { Cells } from './board.ts';

const size = { w: fc.integer({ min: 1, max: 12 }), h: fc.integer({ min: 1, max: 8 }) };
const cells = fc.record({ x: fc.integer({ min: -2, max: 13 }), y: fc.integer({ min: -2, max: 9 }), ...size });

/** Tiles as somebody adds them: each at the first free place. */
const added = fc.array(fc.record(size), { maxLength: 20 }).map((sizes) =>
  sizes.reduce<(Cells & { id: string })[]>((tiles, wanted) => {
    const place = freePlace(tiles, wanted);
    return place === null ? tiles : [...tiles, { ...place, id: String(tiles.length) }];
  }, []),
);

describe('a board', () => {
  it('sharing a cell is mutual, and what shares none has no cell in common', () => {
    fc.assert(
      fc.property(cells, cells, (a, b) => {
        const covered = (one: Cells) =>
          new Set(
            Array.from(
              { length: one.w * one.h },
              (_, at) => `${one.x + (at % one.w)}/${one.y + Math.floor(at / one.w)}`,
            ),
          );
        const isShared = [...covered(a)].some((cell) => covered(b).has(cell));
        expect(overlap(a, b)).toBe(isShared);
        expect(overlap(b, a)).toBe(isShared);
      }),
    );
  });

  it('makes room by halving its largest tile, and takes nothing else away', () => {
    fc.assert(
      fc.property(added, (tiles) => {
        const area = (list: readonly Cells[]) => list.reduce((sum, { w, h }) => sum + w * h, 0);
        const room = roomByHalving(tiles);
        expect(room === null).toBe(tiles.every(({ w, h }) => w * h === 1));
        if (room === null) return;
        const after = [...room.tiles, room.place];
        expect(firstOverlap(after)).toBeNull();
        expect(after.every(isWithinBoard)).toBe(true);
        expect(area(after)).toBe(area(tiles));
        expect(room.tiles.filter((tile, at) => tile !== tiles[at])).toHaveLength(1);
        expect(area([room.halved])).toBe(Math.max(...tiles.map(({ w, h }) => w * h)));
      }),
    );
  });

  it('whatever is added, moved or resized, tiles stay within the grid and never lie over each other', () => {
    fc.assert(
      fc.property(added, fc.array(fc.tuple(fc.nat(19), cells), { maxLength: 20 }), (tiles, moves) => {
        const last = moves.reduce<readonly (Cells & { id: string })[]>(
          (now, [at, to]) => withCells(now, String(at), to),
          tiles,
        );
        expect(last).toHaveLength(tiles.length);
        expect(last.every(isWithinBoard)).toBe(true);
        expect(firstOverlap(last)).toBeNull();
      }),
    );
  });

  it('a place is found as long as a cell is free', () => {
    fc.assert(
      fc.property(added, (tiles) => {
        const taken = tiles.reduce((sum, { w, h }) => sum + w * h, 0);
        expect(freePlace(tiles, { w: 12, h: 8 }) === null).toBe(taken === 96);
      }),
    );
  });
});
