/** What a silence is about, by one of these columns. */
export const SILENCED = ['config_id', 'component_id', 'check_id', 'canary_id'] as const;
export type SilencedColumn = (typeof SILENCED)[number];
