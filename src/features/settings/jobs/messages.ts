import { errorText, type ErrorFacts } from '../../../contract/errors.ts';

/** Everything that the job history says. */
export const messages = {
  title: 'Jobs History',
  table: 'Jobs',
  copyId: (id: string) => `Copy the id ${id}`,
  total: (count: number) => (count === 1 ? '1 run' : `${count} runs`),
  emptyHint:
    'No run matches. Try a longer time range, or clear the status filter to see runs that succeeded.',
  failed: 'The job history could not be loaded',
  filters: {
    name: 'Job name',
    resourceType: 'Resource type',
    status: 'Status',
    duration: 'Duration at least',
  },
  columns: {
    timestamp: 'Timestamp',
    name: 'Job Name',
    agent: 'Agent',
    resource: 'Resource',
    status: 'Status',
    duration: 'Duration',
    statistics: 'Statistics',
  },
  success: (count: number) => `${count} ok`,
  errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
  details: (name: string) => `Run of ${name}`,
  detailTabs: { errors: 'Errors', scrape: 'Scrape Summary', summary: 'Reconcile Summary' },
  detailLabel: 'What the run said',
  errorText: (error: ErrorFacts) => errorText(error),
} as const;
