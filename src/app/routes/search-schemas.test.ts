/** What the addresses of all pages promise, whatever stands behind their question mark. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as catalog from '../../features/catalog/search-schemas.ts';
import { healthSearch } from '../../features/health/url-state.ts';
import { besideSearch, listSearch, pageSearch } from '../../features/incidents/search-schemas.ts';
import { logsSearch } from '../../features/logs/search-schema.ts';
import { jobsSearch } from '../../features/settings/jobs/search-schema.ts';
import * as notifications from '../../features/notifications/search-schemas.ts';
import * as playbooks from '../../features/playbooks/search-schemas.ts';
import * as topology from '../../features/topology/search-schemas.ts';
import * as settings from '../../features/settings/search-schemas.ts';
import * as walls from '../../features/wall/search-schemas.ts';
import type { SearchSchema } from '../../ui/search/search-params.ts';
import { tableSearch } from '../../ui/tables/table-state.ts';

const SCHEMAS: Record<string, SearchSchema<object>> = {
  ...catalog,
  ...settings,
  ...walls,
  ...notifications,
  topologySearch: topology.topologySearch,
  componentSearch: topology.componentSearch,
  healthSearch,
  jobsSearch,
  besideSearch,
  listSearch,
  pageSearch,
  logsSearch,
  playbooksSearch: playbooks.playbooksSearch,
  runsSearch: playbooks.runsSearch,
  runSearch: playbooks.runSearch,
  tableSearch,
};

/** Names and values that addresses have, cut, mixed up and with anything between. */
const name = fc.oneof(
  fc.constantFrom(
    'sortBy',
    'sortOrder',
    'pageIndex',
    'pageSize',
    'page',
    'status',
    'health',
    'type',
    'labels',
  ),
  fc.constantFrom(
    'configType',
    'configTypes',
    'groupBy',
    'severity',
    'create',
    'start',
    'tab',
    'depth',
    'id',
  ),
  fc.string(),
);
const piece = fc.oneof(
  fc.constantFrom(
    'a:1',
    'b:-1',
    ',',
    ':',
    '__',
    '____',
    '||||',
    '!',
    'Kubernetes::Pod',
    'A__B',
    'none',
    'all',
  ),
  fc.constantFrom(
    'true',
    'desc',
    '0',
    '7',
    '-1',
    'Infinity',
    '{"canary:a:b":1}',
    '{',
    'cluster__tag',
    'provider',
  ),
  fc.string({ unit: 'grapheme' }),
);
const links = fc.dictionary(
  name,
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
);

test.each(Object.entries(SCHEMAS))(
  'any text is read by %s, and means the same once it is written',
  (_, schema) => {
    fc.assert(
      fc.property(links, (link) => {
        const search = schema.parse(link);
        const text = new URLSearchParams(schema.format({ ...link, ...search })).toString();
        expect(schema.parse(Object.fromEntries(new URLSearchParams(text)))).toEqual(search);
      }),
      { numRuns: 300 },
    );
  },
);
