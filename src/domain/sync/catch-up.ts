/**
 * What happened while a device was away, from what it showed before and what it shows after (users.md 6). Pure:
 * whoever calls decides what counts as an absence.
 */
/** Of a check, at one moment. */
export interface CheckThen {
  name: string;
  status: string | null;
}

/** Of an incident, at one moment. */
export interface IncidentThen {
  incidentId: string;
  title: string;
  status: string;
  createdBy: string | null;
  commanderId: string | null;
}

/** Of a comment; `by` is null where nobody is named. */
export interface CommentThen {
  incidentId: string;
  by: string | null;
  text: string;
}

/** By id. */
export interface CatchUpState {
  checks: ReadonlyMap<string, CheckThen>;
  incidents: ReadonlyMap<string, IncidentThen>;
  comments: ReadonlyMap<string, CommentThen>;
}

export type IncidentChange = 'opened' | 'mitigated' | 'resolved' | 'closed' | 'reopened';

export interface CatchUp {
  newlyUnhealthy: { id: string; name: string }[];
  recovered: { id: string; name: string }[];
  incidents: { id: string; incidentId: string; title: string; change: IncidentChange }[];
  comments: { id: string; incidentId: string; by: string | null; text: string }[];
}

function changeOf(before: string | undefined, after: string): IncidentChange | null {
  if (before === undefined) return 'opened';
  if (before === after) return null;
  if (after === 'mitigated' || after === 'resolved' || after === 'closed') return after;
  return ['mitigated', 'resolved', 'closed'].includes(before) ? 'reopened' : null;
}

function checksThat(
  { before, after }: { before: CatchUpState; after: CatchUpState },
  became: (was: string | null, is: string | null) => boolean,
): { id: string; name: string }[] {
  return [...after.checks].flatMap(([id, { name, status }]) => {
    const was = before.checks.get(id)?.status ?? null;
    return became(was, status) ? [{ id, name }] : [];
  });
}

/** Mentions are written `@[display](user:id)` (spec 3 §2). */
function concerns(
  comment: { incidentId: string; text: string },
  after: CatchUpState,
  userId: string,
): boolean {
  if (comment.text.includes(`](user:${userId})`)) return true;
  const incident = after.incidents.get(comment.incidentId);
  return incident?.createdBy === userId || incident?.commanderId === userId;
}

/** The differences that matter to that user, in the order of `after`. */
export function catchUpOf(before: CatchUpState, after: CatchUpState, userId: string): CatchUp {
  const both = { before, after };
  return {
    newlyUnhealthy: checksThat(both, (was, is) => was !== 'unhealthy' && is === 'unhealthy'),
    recovered: checksThat(both, (was, is) => was === 'unhealthy' && is === 'healthy'),
    incidents: [...after.incidents].flatMap(([id, { incidentId, title, status }]) => {
      const change = changeOf(before.incidents.get(id)?.status, status);
      return change === null ? [] : [{ id, incidentId, title, change }];
    }),
    comments: [...after.comments].flatMap(([id, comment]) => {
      const isNews = !before.comments.has(id) && comment.by !== userId;
      return isNews && concerns(comment, after, userId) ? [{ id, ...comment }] : [];
    }),
  };
}

/** True when there is nothing to tell. */
export function isQuiet({ newlyUnhealthy, recovered, incidents, comments }: CatchUp): boolean {
  return newlyUnhealthy.length + recovered.length + incidents.length + comments.length === 0;
}
