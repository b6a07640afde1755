/** Says that what is on the screen is made up, for as long as the demo's data is there. */
import type { LiveQuestion } from '../../contract/live-query.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { DEMO_SOURCE } from '../../domain/demo.ts';
import { messages } from '../messages.ts';
import classes from './shell.module.css';

const DEMO_TEAMS: LiveQuestion = {
  collection: 'resources',
  where: [
    { field: 'kind', op: 'eq', value: 'team' },
    { field: 'source', op: 'eq', value: DEMO_SOURCE },
  ],
  search: '',
  sort: [],
  groupBy: null,
  window: { start: 0, end: 1 },
};

/** Nothing without the demo's teams. */
export function DemoTag() {
  const { total } = useLiveQuery(DEMO_TEAMS);
  if (total === 0) return null;
  return (
    <span className={classes.demo} title={messages.demo.hint}>
      {messages.demo.tag}
    </span>
  );
}
