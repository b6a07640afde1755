-- An index for the insights page, newest first (contract §6.4): `npm run bench -- --only=data-api` names its plan.

create index config_analysis_first_observed_idx on config_analysis (first_observed);
