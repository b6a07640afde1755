/** What a component costs, as it is shown (contract §19.10). */
import { costTrend } from '../catalog/numbers.ts';

/** Of the last day, week and month. */
export interface Costs {
  day: number;
  week: number;
  month: number;
}

/** The month's cost and by how many percent the last day differs from it; null unless all three spans are known. */
export function monthCost({ day, week, month }: Costs): { month: number; percent: number | null } | null {
  if (day === 0 || week === 0 || month === 0) return null;
  return { month, percent: costTrend({ cost1d: day, cost30d: month }) };
}
