/**
 * Entries whose uptime and latency are of another range than the last hour, where the device has them. Built
 * once per range and change, because every view of that range asks for the same.
 */
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import type { CheckIndex, Entry } from '../../src/contract/health-board/check-index.ts';
import { changesSince, renewList } from '../../src/lib/list-cache.ts';
import type { SummaryOverlay } from './read-store.ts';

/** What the server sums up by itself (schema §1.6 check_summary). */
const OWN_RANGE: TimeRange = '1h';

export interface SummaryOverlays {
  set(range: TimeRange, overlay: SummaryOverlay): void;
  /** True when there is nothing to read for that range: it is here, or was asked for already. */
  isKnown(range: TimeRange): boolean;
  markAsked(range: TimeRange): void;
  clear(): void;
  entriesFor(range: TimeRange): { entries: readonly Entry[]; summaryRange: TimeRange };
}

function withOverlay(entry: Entry, overlay: SummaryOverlay): Entry {
  const own = overlay.get(entry.check.id);
  // A check that the summary doesn't know didn't run in that range, or is newer than it.
  const measured = own ?? { uptime: { passed: 0, failed: 0 }, latency: {} };
  return { ...entry, check: { ...entry.check, uptime: measured.uptime, latency: measured.latency } };
}

/** The entries with their figures of a range, and the index's entries that they were made of. */
interface Built {
  of: readonly Entry[];
  entries: readonly Entry[];
}

function build(of: readonly Entry[], overlay: SummaryOverlay, known: Built | undefined): Built {
  const changes = known === undefined ? null : changesSince(known.of, of);
  if (known === undefined || changes === null)
    return { of, entries: of.map((entry) => withOverlay(entry, overlay)) };
  const changed = Array.from(changes, ([at, entry]) => [at, withOverlay(entry, overlay)] as const);
  return { of, entries: renewList(known.entries, new Map(changed)) };
}

/** Over the checks of this index. */
export function createSummaryOverlays(index: CheckIndex): SummaryOverlays {
  const overlays = new Map<TimeRange, SummaryOverlay>();
  /** A range that isn't kept is announced when it comes; asking again at every keystroke finds nothing. */
  const asked = new Set<TimeRange>();
  const built = new Map<TimeRange, Built>();
  return {
    set(range, overlay) {
      overlays.set(range, overlay);
      built.delete(range);
    },
    isKnown: (range) => range === OWN_RANGE || overlays.has(range) || asked.has(range),
    markAsked: (range) => {
      asked.add(range);
    },
    clear() {
      asked.clear();
      overlays.clear();
      built.clear();
    },
    entriesFor(range) {
      const overlay = overlays.get(range);
      if (range === OWN_RANGE || overlay === undefined)
        return { entries: index.entries(), summaryRange: OWN_RANGE };
      const entries = index.entries();
      let found = built.get(range);
      if (found?.of !== entries) {
        found = build(entries, overlay, found);
        built.set(range, found);
      }
      return { entries: found.entries, summaryRange: range };
    },
  };
}
