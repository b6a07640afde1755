/** What several views of this migration share: the newest job of a resource, its agent, counts kept as JSON. */

/** The schema's JOB columns; `job` is the alias that jobJoin gives. */
export const JOB_COLUMNS = `job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at`;

/** When the resource's job of that type failed last. */
export const jobLastFailed = (id: string, resourceType: string): string => `(
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = ${id}::text and failed.resource_type = '${resourceType}' and failed.status = 'FAILED'
    ) as job_last_failed`;

/** Joins the newest job of the resource. */
export const jobJoin = (id: string): string => `left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = ${id}::text
    order by newest.created_at desc
    limit 1
  ) as job on true`;

/** The schema's AGENT column; needs `agents` joined. */
export const AGENT_COLUMN = `case when agents.id is not null
      then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent`;

/**
 * `{first: {second: n}}` of the counted rows of each id. `rows` is a select of id, first, second and count, one row
 * for each combination.
 */
export const countsByTwo = (rows: string): string => `
  select id, jsonb_object_agg(first, by_second) as counts
  from (
    select id, first, jsonb_object_agg(second, count) as by_second
    from (${rows}) as counted
    group by id, first
  ) as grouped
  group by id`;

/** The pairs of a JSON object; none where the value is something else. */
export const pairsOf = (column: string): string =>
  `jsonb_each_text(case when jsonb_typeof(${column}) = 'object' then ${column} end)`;

/** The elements of a JSON array; none where the value is something else. */
export const elementsOf = (column: string): string =>
  `jsonb_array_elements(case when jsonb_typeof(${column}) = 'array' then ${column} end)`;
