import { useLiveRow } from '../../../data/queries/use-live-row.ts';

interface NamedConfig {
  id: string;
  name: string | null;
  type: string | null;
}

/** Name and type of a config item; null where this device doesn't have it. */
export function useConfigName(configId: string | null): NamedConfig | null {
  return useLiveRow('configs', configId ?? '')?.row ?? null;
}
