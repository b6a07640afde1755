/**
 * Feature flags (contract §3, spec 1 §6): which areas of the product an operator has switched off. A flag is a
 * property by the name `<flag>.disable`; some settings pages follow the area that they belong to.
 */
export const FLAGS = [
  'topology',
  'health',
  'incidents',
  'config',
  'logs',
  'playbooks',
  'agents',
  'settings.connections',
  'settings.users',
  'settings.teams',
  'settings.rules',
  'settings.config_scraper',
  'settings.topology',
  'settings.health',
  'settings.job_history',
  'settings.feature_flags',
  'settings.logging_backends',
  'settings.event_queue_status',
  'settings.organization_profile',
  'settings.notifications',
  'settings.playbooks',
  'settings.integrations',
] as const;
export type Flag = (typeof FLAGS)[number];

/** A page that has nothing to show without its area goes with it. */
export const FLAG_PARENTS: Readonly<Partial<Record<Flag, Flag>>> = {
  'settings.config_scraper': 'config',
  'settings.topology': 'topology',
  'settings.health': 'health',
  'settings.job_history': 'health',
};

/** Values of properties by name. */
export type PropertyValues = ReadonlyMap<string, string>;

const ON_VALUES: ReadonlySet<string> = new Set(['true', 'enabled', 'on']);

/** Whether a property that says yes or no says yes: `true`, `enabled`, `on` in any case (schema §3.6). */
export function isPropertyOn(value: string | undefined): boolean {
  return value !== undefined && ON_VALUES.has(value.trim().toLowerCase());
}

/** The property that switches a feature off. */
export function disablingProperty(flag: Flag): string {
  return `${flag}.disable`;
}

/** True unless the feature, or the area it belongs to, is switched off. */
export function isFeatureOn(flag: Flag, properties: PropertyValues): boolean {
  if (isPropertyOn(properties.get(disablingProperty(flag)))) return false;
  const parent = FLAG_PARENTS[flag];
  return parent === undefined || isFeatureOn(parent, properties);
}
