/**
 * In which order the service worker caches the built files: what the shell and the pages of the menus need, then the
 * other pages, then the parts that pages load when they are used (editors, graphs, charts). Decided at build time from
 * the imports that the bundler found. A file that it doesn't know (a worker's, an icon) is among the first.
 */
import type { Plugin } from 'vite';

/** A chunk of the build. */
export interface BuiltChunk {
  fileName: string;
  isEntry: boolean;
  /** Chunks, styles and pictures that are loaded with it. */
  needs: readonly string[];
  modules: readonly string[];
}

export interface BuiltGraph {
  chunks: readonly BuiltChunk[];
  /** By module: what it imports when it is used. */
  lazyImports: ReadonlyMap<string, readonly string[]>;
}

export type PrecacheStep = 'first' | 'pages' | 'parts';

const STEPS: readonly PrecacheStep[] = ['first', 'pages', 'parts'];
const ROUTES = /\/src\/app\/routes\//;
const MENU_PAGES = /\/src\/app\/routes\/menu-pages\.ts$/;

/** The files with everything that is loaded with them. */
function withNeeds(files: readonly string[], byName: ReadonlyMap<string, BuiltChunk>): Set<string> {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    byName.get(file)?.needs.forEach(add);
  };
  files.forEach(add);
  return found;
}

/** When a built file is cached. */
export function createStepOf({ chunks, lazyImports }: BuiltGraph): (fileName: string) => PrecacheStep {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const fileOf = new Map(
    chunks.flatMap(({ fileName, modules }) => modules.map((module) => [module, fileName])),
  );
  const lazilyFrom = (modules: readonly string[]) =>
    modules.flatMap((module) => lazyImports.get(module) ?? []).flatMap((target) => fileOf.get(target) ?? []);
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const atStart = [...withNeeds(entries, byName)].flatMap((file) => byName.get(file)?.modules ?? []);
  const ofMenus = atStart.filter((module) => !ROUTES.test(module) || MENU_PAGES.test(module));
  const first = withNeeds([...entries, ...lazilyFrom(ofMenus)], byName);
  const pages = withNeeds(lazilyFrom(atStart), byName);
  const known = withNeeds([...byName.keys()], byName);
  return (fileName) => {
    if (first.has(fileName) || !known.has(fileName)) return 'first';
    return pages.has(fileName) ? 'pages' : 'parts';
  };
}

interface ListedFile {
  url: string;
  revision: string | null;
  size: number;
  isLater?: true;
}

/** Watches the build, and orders the list of files that goes into the service worker. */
export function createPrecacheOrder(): {
  plugin: Plugin;
  sort: (files: ListedFile[]) => { manifest: ListedFile[] };
} {
  let stepOf: (fileName: string) => PrecacheStep = () => 'first';
  return {
    plugin: {
      name: 'precache-order',
      generateBundle(_options, bundle) {
        const built = Object.values(bundle).filter((file) => file.type === 'chunk');
        const modules = built.flatMap(({ moduleIds }) => moduleIds);
        stepOf = createStepOf({
          chunks: built.map(({ fileName, isEntry, imports, moduleIds, viteMetadata }) => ({
            fileName,
            isEntry,
            needs: [
              ...imports,
              ...(viteMetadata?.importedCss ?? []),
              ...(viteMetadata?.importedAssets ?? []),
            ],
            modules: moduleIds,
          })),
          lazyImports: new Map(
            modules.map((id) => [id, this.getModuleInfo(id)?.dynamicallyImportedIds ?? []]),
          ),
        });
      },
    },
    sort: (files) => ({
      manifest: files
        .toSorted((one, other) => STEPS.indexOf(stepOf(one.url)) - STEPS.indexOf(stepOf(other.url)))
        .map((file) => (stepOf(file.url) === 'first' ? file : { ...file, isLater: true })),
    }),
  };
}
