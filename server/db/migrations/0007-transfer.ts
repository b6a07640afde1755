/** Indexes for the most used queries of the contract, as measured by `npm run bench -- --only=data-api`. */
export const up = `
-- The catalog's list of one type, in the order of names (contract §6.2).
create index config_items_type_name_idx on config_items (type, name) where deleted_at is null;
-- What happened to one item, newest first.
create index config_changes_config_id_created_at_idx on config_changes (config_id, created_at desc);
-- Insights, newest first (contract §6.4).
create index config_analysis_first_observed_idx on config_analysis (first_observed desc);
`;
