/** Import rules of the house style: layers, doors, no cycles, no junk drawers. */
const layer = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { path: from }, to: { path: to } });
const SRC_ABOVE = {
  lib: '^(src/(domain|contract|data|ui|features|app)|workers|server)/',
  domain: '^(src/(contract|data|ui|features|app)|workers|server)/',
  contract: '^(src/(data|ui|features|app)|workers|server)/',
  data: '^(src/(ui|features|app)|server)/',
  ui: '^(src/(contract|data|features|app)|workers|server)/',
  features: '^(src/app|workers|server)/',
  app: '^(workers|server)/',
};
module.exports = {
  forbidden: [
    ...Object.entries(SRC_ABOVE).map(([name, to]) =>
      layer(`layer-${name}`, `^src/${name}/`, to, `src/${name} imports downward only (style 1-7)`)),
    layer('workers-below-ui', '^workers/', '^(src/(data|ui|features|app)|server)/', 'workers import lib, domain, contract (style 8)'),
    layer('server-alone', '^server/', '^(src/(data|ui|features|app)|workers)/', 'server imports lib, domain, contract (style 9)'),
    { name: 'worker-doors', severity: 'error', comment: 'src sees a worker through its api.ts only (style 10)',
      from: { path: '^src/' }, to: { path: '^workers/', pathNot: '^workers/[^/]+/(api|[^/]+\\.worker)\\.ts' } },
    { name: 'features-apart', severity: 'error', comment: 'a feature never imports another (style 6)',
      from: { path: '^src/features/([^/]+)/' }, to: { path: '^src/features/', pathNot: '^src/features/$1/' } },
    { name: 'workers-apart', severity: 'error', comment: 'a worker reaches another through its api.ts (style 10)',
      from: { path: '^workers/(sync|compute|service-worker)/' }, to: { path: '^workers/(sync|compute|service-worker)/', pathNot: '^workers/($1/|[^/]+/api\\.ts)' } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-junk-drawers', severity: 'error', from: {}, to: { path: '(^|/)(utils|helpers|common|misc)/', pathNot: 'node_modules' } },
    { name: 'data-without-react', severity: 'error', comment: 'data knows React only in its hooks (style 4)',
      from: { path: '^src/data/', pathNot: '(^|/)use-[^/]+\\.tsx?$' }, to: { path: 'node_modules/(react|react-dom)/' } },
    { name: 'tests-are-not-imported', severity: 'error', from: { pathNot: '\\.test\\.tsx?$|^(tests|e2e|bench)/' }, to: { path: '\\.test\\.tsx?$|^(tests|e2e|bench)/' } },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(virtual:|node:)' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.tsx?$' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'], conditionNames: ['import', 'browser', 'node', 'default'], exportsFields: ['exports'] },
  },
};
