/** What Athena is asked of a cost and usage report; the names were checked before. */

/** One row a resource. Reports lag behind: the newest hour in it is now. */
export function costStatement(database: string, table: string): string {
  const at = 'line_item_usage_start_date';
  const cost = 'line_item_unblended_cost';
  const since = (days: number) =>
    `sum(case when ${at} > date_add('day', -${days}, newest) then ${cost} else 0 end)`;
  return `select line_item_resource_id, ${since(1)}, ${since(7)}, ${since(30)} from "${database}"."${table}"
cross join (select max(${at}) as newest from "${database}"."${table}") as report
where ${at} > date_add('day', -30, newest) group by line_item_resource_id`;
}
