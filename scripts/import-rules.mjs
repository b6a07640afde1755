// The import rules of the house style as data: layers, doors, features apart. `from` and `to` are patterns over
// paths in the repository; `$1` in `except` stands for what the first group of `from` found.
const layer = (name, above) => ({
  name: `layer-${name}`,
  why: `src/${name} imports downward only`,
  from: new RegExp(`^src/${name}/`),
  to: new RegExp(`^(${above})/`),
});

const SERVER_LAYERS = ['platform', 'access', 'replication'];
const AREAS = [
  'health',
  'catalog',
  'incidents',
  'topology',
  'playbooks',
  'connections',
  'notifications',
  'agents',
  'logs',
  'properties',
  'walls',
  'tablets',
  'integrations',
];
const anyArea = AREAS.join('|');

/** What an area of the server may use of another one. Everything else is handed in by server/app. */
const AREA_DOORS = [
  {
    from: ['health', 'catalog', 'incidents', 'topology', 'notifications', 'playbooks', 'logs'],
    to: 'connections/(connection-query|connection-values|secret-scope|note-literals|allowed-hosts|database-address|exec-connections)\\.ts$',
    why: 'checks, scrapers, responders, playbooks and logs call services of other people with connections, secrets only where granted',
  },
  {
    from: ['incidents', 'playbooks', 'topology'],
    to: 'catalog/search/',
    why: 'rules, playbooks and topologies choose resources by the selectors of the catalog',
  },
  {
    from: ['playbooks'],
    to: '(catalog/scrapers/kinds/sql/(sql-target|reading-statement)|notifications/senders/send-notification)\\.ts$',
    why: 'actions query databases and send notifications as scrapers and rules do',
  },
  {
    from: ['playbooks'],
    to: 'catalog/scrapers/kinds/(kubernetes/(kube-config|kube-client)|kubernetes-file/pod-command|services/service-call)\\.ts$',
    why: 'pod actions reach a cluster as its scrapers do',
  },
  {
    from: ['logs'],
    to: 'catalog/scrapers/(running/scrape-secrets|kinds/(services/service-call|sql/(sql-place|sql-target|postgres-query|mysql-query|sql-server-query)|kubernetes/kube-config|aws/aws-access|gcp/google-token))\\.ts$',
    why: 'logs are read from databases, clusters and clouds as items of the catalog are',
  },
  {
    from: ['health'],
    to: '(catalog/scrapers/kinds/(sql/(sql-target|postgres-query|mysql-query)|kubernetes/(kube-config|api-resources|list-objects|next-run-of)|aws/aws-access|azure-devops/devops-calls|github-actions/github-client|kubernetes-file/pod-command|services/service-call)|catalog/scrapers/health/(health|kubernetes-health)|catalog/search/selector-query|playbooks/actions/(sql-clients|gitops/repository-(text|thread)|pod/pod-manifest))\\.ts$',
    why: 'checks ask databases, clusters, clouds, repositories and the catalog as scrapers and playbooks do',
  },
  {
    from: ['topology'],
    to: 'health/documents/canary-problems\\.ts$',
    why: 'lookups and checks that a topology brings along are specifications of checks',
  },
  {
    from: ['agents'],
    to: '(connections/(connection-query|connection-values|secret-scope)|catalog/scrapers/kinds/kubernetes/kube-config)\\.ts$',
    why: 'calls that are passed on to a cluster sign in there as its scrapers do',
  },
  {
    from: ['agents'],
    to: 'playbooks/running/(handed-actions|handed-query|perform-handed)\\.ts$',
    why: 'agents take actions of playbooks, do them and tell how they ended',
  },
  {
    from: ['playbooks'],
    to: 'notifications/senders/(send-notification|sender)\\.ts$',
    why: 'what playbooks tell people goes out as what rules tell',
  },
];

/** Tests span layers: they build the world that they test in. */
const program = '(?!testing/|.*(\\.test\\.ts$|/testing/))';

const serverLayer = (name, at) => ({
  name: `server-${name}`,
  why: `server/${name} imports ${at === 0 ? 'no other layer' : `server/${SERVER_LAYERS.slice(0, at).join(' and ')} only`}`,
  from: new RegExp(`^server/${name}/${program}`),
  to: new RegExp(`^server/(?!(${SERVER_LAYERS.slice(0, at + 1).join('|')})/)`),
});

const doorsOf = (area) => AREA_DOORS.filter(({ from }) => from.includes(area)).map(({ to }) => to);

const areaApart = (area) => ({
  name: `server-areas-apart-${area}`,
  why: 'an area of the server uses another one through AREA_DOORS; the rest is handed in by server/app',
  from: new RegExp(`^server/${area}/${program}`),
  to: new RegExp(`^server/(?!${area}/)(${anyArea})/`),
  except: `^server/(${['-', ...doorsOf(area)].join('|')})`,
});

export const IMPORT_RULES = [
  ...SERVER_LAYERS.map(serverLayer),
  {
    name: 'server-areas',
    why: 'an area knows neither the HTTP server nor the composition root',
    from: new RegExp(`^server/(${anyArea})/${program}`),
    to: /^server\/(http|app)\//,
  },
  ...AREAS.map(areaApart),
  {
    name: 'server-http',
    why: 'the HTTP server knows no area: server/app hands in the routes',
    from: new RegExp(`^server/http/${program}`),
    to: /^server\/(?!(platform|access|http)\/)/,
  },
  {
    name: 'server-tree',
    why: 'a file of the server lies in a layer or in an area that import-rules.mjs knows',
    from: new RegExp(`^server/(?!(${[...SERVER_LAYERS, 'http', 'app'].join('|')}|${anyArea})/)`),
    to: /./,
  },
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
