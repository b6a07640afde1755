import { useEffect, useMemo, useState } from 'react';
import { setPollInterval, setSummaryRange } from '../../data/commands/commands.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import { allowedRate, isRefreshRate, refreshMs } from '../../domain/time/ranges.ts';
import { useDevice } from '../../ui/Device.tsx';
import { parseRefreshRate, REFRESH_RATE_KEY } from './health-settings.ts';
import type { RefreshControl } from './HealthHeader.tsx';

/**
 * How often the server is asked besides being told, as the range allows (spec 1 §4). What was chosen is
 * remembered; a range that forbids it only overrides it for as long as it is shown.
 */
export function useRefreshRate(range: TimeRange): RefreshControl {
  const device = useDevice();
  const [chosen, setChosen] = useState(() => parseRefreshRate(device.readSetting(REFRESH_RATE_KEY)));
  const rate = allowedRate(chosen, range);
  useEffect(() => setPollInterval(refreshMs(rate)), [rate]);
  useEffect(() => setSummaryRange(range), [range]);
  return useMemo(
    () => ({
      rate,
      setRate: (next: string) => {
        if (!isRefreshRate(next)) return;
        device.writeSetting(REFRESH_RATE_KEY, next);
        setChosen(next);
      },
    }),
    [device, rate],
  );
}
