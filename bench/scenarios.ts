/** The scenarios of the browser instrument, by number of checks. Names are the keys of goals.ts. */
const ROWS = '[data-row-kind]';
const READY = { selector: ROWS, min: 5 };
const SEARCH = 'input[placeholder="Search by name, description, or endpoint"]';

/** Words of the seeded estate whose first letter already changes which rows are shown. */
const QUERIES = ['vault', 'queue', 'ku'];

type Scenario = Record<string, unknown> & { name: string; kind: string };

export function scenariosFor(checks: number): { defaults: object; scenarios: Scenario[] } {
  const tag = (name: string) => `${name} ${checks}`;
  const all = '/health?hidePassing=false';
  const scenarios: Scenario[] = [
    { name: tag('load'), kind: 'load', path: all, ready: READY, prime: 2, runs: 3 },
    { name: tag('load cpu4'), kind: 'load', path: all, ready: READY, prime: 2, cpu: 4, runs: 2 },
    {
      name: tag('type grouped'),
      kind: 'type',
      path: all,
      ready: READY,
      input: SEARCH,
      rows: ROWS,
      queries: QUERIES,
    },
    {
      name: tag('type ungrouped'),
      kind: 'type',
      path: `${all}&groupBy=none`,
      ready: READY,
      input: SEARCH,
      rows: ROWS,
      queries: QUERIES,
    },
    {
      name: tag('expand'),
      kind: 'click',
      path: all,
      ready: READY,
      targets: ['[data-row-kind=group]'],
      rows: ROWS,
      repeat: 5,
      step: 1,
    },
  ];
  if (checks === 1000) {
    scenarios.push({
      name: tag('slow network'),
      kind: 'load',
      path: all,
      ready: READY,
      prime: 1,
      net: { kbps: 400, latencyMs: 400, mode: 'proxy' },
      runs: 2,
      quiet: false,
      limitMs: 120_000,
    });
    scenarios.push({
      name: 'axe',
      kind: 'axe',
      pages: [
        { name: 'health', path: all, ready: READY },
        { name: 'cards', path: `${all}&layout=card`, ready: { selector: ROWS } },
        { name: 'notifications', path: '/notifications', ready: { selector: 'main' } },
        { name: 'help', path: '/help', ready: { selector: 'main h1' } },
      ],
    });
  }
  if (checks === 10_000) {
    scenarios.push({
      name: tag('scroll'),
      kind: 'scroll',
      path: `${all}&groupBy=none`,
      ready: READY,
      container: ROWS,
      px: 20_000,
      speed: 4000,
      runs: 3,
    });
    scenarios.push({
      name: tag('load ungrouped'),
      kind: 'load',
      path: `${all}&groupBy=none`,
      ready: READY,
      prime: 1,
      warmOnly: true,
      runs: 3,
    });
  }
  return { defaults: { viewport: { width: 1440, height: 900 } }, scenarios };
}
