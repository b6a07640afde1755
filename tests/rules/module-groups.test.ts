import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIsLate, createIsLight, type ModuleGraph } from '../../scripts/module-groups.ts';

interface Module {
  chars: number;
  importedIds: string[];
}

const graphOf = (modules: Record<string, Module>): ModuleGraph => ({
  getModuleInfo: (id) => {
    const found = modules[id];
    return found === undefined ? null : { code: 'x'.repeat(found.chars), importedIds: found.importedIds };
  },
});

/** Any modules that import any others, in circles as well; the first one is what the first page begins with. */
const modules = fc.integer({ min: 2, max: 12 }).chain((count) => {
  const id = fc.integer({ min: 0, max: count - 1 }).map(String);
  const one = fc.record({
    chars: fc.integer({ min: 0, max: 4000 }),
    importedIds: fc.uniqueArray(id, { maxLength: 3 }),
  });
  return fc
    .array(one, { minLength: count, maxLength: count })
    .map((all) => Object.fromEntries(all.map((module, at) => [String(at), module])));
});

/** What the module imports, through others as well, and it itself. */
const reachedFrom = (start: string, all: Record<string, Module>) => {
  const reached = new Set([start]);
  for (const id of reached) for (const next of all[id]?.importedIds ?? []) reached.add(next);
  return reached;
};

test('what a light module imports is on the first page or light itself', () => {
  fc.assert(
    fc.property(modules, (all) => {
      const graph = graphOf(all);
      const isLight = createIsLight('0');
      const initial = reachedFrom('0', all);
      for (const [id, { importedIds }] of Object.entries(all)) {
        if (!isLight(id, graph)) continue;
        for (const next of importedIds) expect(initial.has(next) || isLight(next, graph)).toBe(true);
      }
    }),
  );
});

test('an icon is light, and what opens an editor with it is not', () => {
  const graph = graphOf({
    main: { chars: 100_000, importedIds: ['react'] },
    react: { chars: 100_000, importedIds: [] },
    icon: { chars: 400, importedIds: ['react'] },
    editor: { chars: 400_000, importedIds: [] },
    button: { chars: 300, importedIds: ['icon', 'editor'] },
  });
  const isLight = createIsLight('main');
  expect(['icon', 'editor', 'button'].map((id) => isLight(id, graph))).toEqual([true, false, false]);
});

test('the late file has all that its parts import beyond the first page, and nothing else', () => {
  fc.assert(
    fc.property(modules, (all) => {
      const isLate = createIsLate('0', ['1']);
      const [initial, part] = [reachedFrom('0', all), reachedFrom('1', all)];
      for (const id of Object.keys(all))
        expect(isLate(id, graphOf(all))).toBe(part.has(id) && !initial.has(id));
    }),
  );
});

test('a late part that was renamed is said', () => {
  const graph = graphOf({ main: { chars: 1, importedIds: [] } });
  expect(() => createIsLate('main', ['gone.tsx'])('main', graph)).toThrow('gone.tsx');
});
