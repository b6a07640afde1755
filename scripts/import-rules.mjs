// The import rules of the house style as data: layers, doors, features apart. `from` and `to` are patterns over
// paths in the repository; `$1` in `except` stands for what the first group of `from` found.
const layer = (name, above) => ({
  name: `layer-${name}`,
  why: `src/${name} imports downward only`,
  from: new RegExp(`^src/${name}/`),
  to: new RegExp(`^(${above})/`),
});

export const IMPORT_RULES = [
  layer('lib', 'src/domain|src/contract|src/data|src/ui|src/features|src/app|workers|server'),
  layer('domain', 'src/contract|src/data|src/ui|src/features|src/app|workers|server'),
  layer('contract', 'src/data|src/ui|src/features|src/app|workers|server'),
  layer('data', 'src/ui|src/features|src/app|server'),
  layer('ui', 'src/contract|src/data|src/features|src/app|workers|server'),
  layer('features', 'src/app|workers|server'),
  layer('app', 'workers|server'),
  {
    name: 'workers-below-ui',
    why: 'workers import lib, domain, contract',
    from: /^workers\//,
    to: /^(src\/(data|ui|features|app)|server)\//,
  },
  {
    name: 'server-alone',
    why: 'server imports lib, domain, contract',
    from: /^server\//,
    to: /^(src\/(data|ui|features|app)|workers)\//,
  },
  {
    name: 'worker-doors',
    why: 'the app sees a worker through its api.ts only',
    from: /^src\//,
    to: /^workers\//,
    except: '^workers/[^/]+/api\\.ts$',
  },
  {
    name: 'workers-apart',
    why: "a worker reaches another through its api.ts; the service worker runs the sync worker's drain.ts",
    from: /^workers\/(sync|compute|service-worker)\//,
    to: /^workers\/(sync|compute|service-worker)\//,
    except: '^workers/($1/|[^/]+/api\\.ts$|sync/(drain|platform)\\.ts$)',
  },
  {
    name: 'features-apart',
    why: 'a feature never imports another; link by domain/links.ts',
    from: /^src\/features\/([^/]+)\//,
    to: /^src\/features\//,
    except: '^src/features/$1/',
  },
  {
    name: 'data-without-react',
    why: 'data knows React only in its use-*.ts files',
    from: /^src\/data\/(?!.*use-[^/]+$)/,
    to: /^(react|react-dom)(\/|$)/,
  },
  {
    name: 'tests-stay-tests',
    why: 'programs never import tests',
    from: /^(src|workers|server)\/(?!.*\.test\.tsx?$)/,
    to: /(\.test\.tsx?$)|^(tests|e2e|bench)\//,
  },
  {
    name: 'no-junk-drawers',
    why: 'name a folder after its subject',
    from: /./,
    to: /(^|\/)(utils|helpers|common|misc)\//,
  },
];

/** The rules that an import breaks; `to` is a repository path, or a package's name. */
export function brokenRules(from, to) {
  return IMPORT_RULES.filter((rule) => {
    const match = rule.from.exec(from);
    if (match === null || !rule.to.test(to)) return false;
    return rule.except === undefined || !new RegExp(rule.except.replaceAll('$1', match[1] ?? '')).test(to);
  });
}
