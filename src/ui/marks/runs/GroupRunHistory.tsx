import type { GroupRuns } from '../../../domain/check/group-runs.ts';
import { formatAge, formatSecond } from '../../../domain/time/format.ts';
import { useDevice } from '../../Device.tsx';
import { messages } from '../../messages.ts';
import { RunBars } from './RunBars.tsx';

/** One place of the group's runs. */
interface Place {
  total: number;
  failed: number;
  newestMs: number;
  oldestMs: number;
}

/** The oldest first. */
function placesOf({ total, failed, newest, oldest }: GroupRuns): Place[] {
  return total
    .map((count, at) => ({
      total: count,
      failed: failed[at] ?? 0,
      newestMs: (newest[at] ?? 0) * 1000,
      oldestMs: (oldest[at] ?? 0) * 1000,
    }))
    .toReversed();
}

function summaryOf(places: readonly Place[], nowMs: number): string {
  const worst = places.reduce<Place | null>(
    (worse, place) =>
      worse === null || place.failed / place.total > worse.failed / worse.total ? place : worse,
    null,
  );
  if (worst === null) return messages.runs.none;
  const last = places.findLast(({ failed }) => failed > 0);
  const { total } = places.at(-1) ?? worst;
  if (last === undefined) return messages.runs.groupPassed(places.length, total);
  return messages.runs.groupSummary({
    runs: places.length,
    total,
    worst: messages.runs.ofChecks(worst.failed, worst.total),
    lastFailure: formatAge(nowMs - last.newestMs),
  });
}

function placeText(place: Place | undefined, nowMs: number): string {
  if (place === undefined) return '';
  const { total, failed, newestMs, oldestMs } = place;
  const word = failed === 0 ? messages.runs.allPassed(total) : messages.runs.someFailed(failed, total);
  const [from, to] = [formatSecond(oldestMs), formatSecond(newestMs)];
  return messages.runs.one(
    word,
    from === to ? to : messages.runs.between(from, to),
    formatAge(nowMs - newestMs),
  );
}

/**
 * How the newest runs of a group's checks went, laid on each other: low bars where all passed, high ones where all
 * failed; between them the share that failed stands apart on a low bar.
 */
export function GroupRunHistory({ runs }: { runs: GroupRuns | undefined }) {
  const device = useDevice();
  const places = runs === undefined ? [] : placesOf(runs);
  return (
    <RunBars
      shares={places.map(({ failed, total }) => failed / total)}
      label={summaryOf(places, device.now())}
      textOf={(at) => placeText(places[at], device.now())}
    />
  );
}
