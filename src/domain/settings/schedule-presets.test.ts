import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSchedule } from '../check/schedule.ts';
import { SCHEDULE_PRESETS, schedulesFor } from './schedule-presets.ts';

const SETS: Readonly<Record<string, readonly string[]>> = SCHEDULE_PRESETS;
const PLACES = {
  short: schedulesFor('canaries', {}),
  medium: schedulesFor('topologies', {}),
  default: schedulesFor('config_scrapers', { http: [] }),
};

test('each set stands where its work is done', () => {
  expect(PLACES).toEqual(SCHEDULE_PRESETS);
  expect(schedulesFor('logging_backends', null)).toEqual(SCHEDULE_PRESETS.default);
  expect(schedulesFor(null, {})).toEqual(SCHEDULE_PRESETS.default);
});

test('a scraper of a cluster is offered half an hour first, and nothing twice or less', () => {
  const offered = schedulesFor('config_scrapers', { schedule: '@daily', kubernetes: [{ clusterName: 'a' }] });
  expect(offered[0]).toBe('@every 30m');
  expect(offered.toSorted()).toEqual(SCHEDULE_PRESETS.default.toSorted());
});

test('whatever is offered is a schedule, and each set is ordered from often to seldom', () => {
  for (const set of Object.values(SETS)) {
    expect(new Set(set).size).toBe(set.length);
    for (const schedule of set) expect(parseSchedule({ schedule }), schedule).not.toBeNull();
    const every = set.flatMap((schedule) => {
      const read = parseSchedule({ schedule });
      return read?.kind === 'every' ? [read.everyMs] : [];
    });
    expect(every).toEqual(every.toSorted((a, b) => a - b));
  }
});

test('the table for operators says the same', () => {
  const page = readFileSync('docs/integrations.md', 'utf8');
  for (const [name, set] of Object.entries(SETS)) {
    const written = set.map((schedule) => `\`${schedule}\``).join(', ');
    expect(page).toMatch(new RegExp(`\\| ${name} \\|[^|]+\\| ${written} \\|`));
  }
});
