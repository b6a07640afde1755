import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pressedSort,
  tableLink,
  tableSearch,
  tableState,
  type DefaultSort,
  type TableState,
} from './table-state.ts';

const parseTableSearch = (link: object, fallback: DefaultSort) =>
  tableState(tableSearch.parse(link), fallback);
const writeTableSearch = (state: TableState, fallback: DefaultSort) =>
  tableSearch.format(tableLink(state, fallback));

const NEWEST = { sortBy: 'created_at', isDescending: true };

describe('a table’s query string', () => {
  it('is empty for the table’s own order and first page', () => {
    expect(writeTableSearch(parseTableSearch({}, NEWEST), NEWEST)).toEqual({});
  });

  it('reads nonsense as if it were absent', () => {
    const nonsense = { sortBy: '', sortOrder: 'up', pageIndex: '-1', pageSize: '7' };
    expect(parseTableSearch(nonsense, NEWEST)).toEqual({ ...NEWEST, pageIndex: 0, pageSize: 50 });
  });

  it('has as many rows as the table does by itself', () => {
    const long = { ...NEWEST, pageSize: 150 };
    expect(parseTableSearch({}, long).pageSize).toBe(150);
    expect(writeTableSearch(parseTableSearch({}, long), long)).toEqual({});
    const chosen = parseTableSearch({ pageSize: '50' }, long);
    expect(writeTableSearch(chosen, long)).toEqual({ pageSize: '50' });
    expect(pressedSort({ ...chosen, sortBy: 'name' }, 'name', long).pageSize).toBe(50);
  });

  it('says the same after being written and read again', () => {
    fc.assert(
      fc.property(
        fc.record({
          sortBy: fc.constantFrom('name', 'created_at', 'status'),
          isDescending: fc.boolean(),
          pageIndex: fc.nat(10_000),
          pageSize: fc.constantFrom(5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000),
        }),
        (state) => {
          expect(parseTableSearch(writeTableSearch(state, NEWEST), NEWEST)).toEqual(state);
        },
      ),
    );
  });
});

describe('pressing a column’s head', () => {
  const first = parseTableSearch({ pageIndex: '3' }, NEWEST);

  it('orders by it upwards, then downwards, then as the table does by itself', () => {
    const up = pressedSort(first, 'name', NEWEST);
    const down = pressedSort(up, 'name', NEWEST);
    expect([up.isDescending, down.isDescending]).toEqual([false, true]);
    expect(pressedSort(down, 'name', NEWEST)).toMatchObject(NEWEST);
  });

  it('goes back to the first page', () => {
    expect(pressedSort(first, 'name', NEWEST).pageIndex).toBe(0);
  });

  it('turns the table’s own order round', () => {
    expect(pressedSort(first, 'created_at', NEWEST)).toMatchObject({
      sortBy: 'created_at',
      isDescending: false,
    });
  });
});
