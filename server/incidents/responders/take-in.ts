/**
 * Takes over what an outside system says: how far its ticket is, and comments. Each of its comments comes in once,
 * also after it was deleted here. Our own come back from there, too: those whose id isn't known yet are known by
 * their text, so that none is taken for news.
 */
import type { RemoteComment, RemoteState } from './adapters/adapter.ts';
import { noteState } from './delivery-query.ts';
import {
  copiesWithoutId,
  finishMessage,
  insertRemoteComment,
  knownRemoteComments,
  noteCopy,
  noteRemoteComment,
} from './message-query.ts';
import type { UnknownCopy } from './message-query.ts';
import { TOLD } from './adapters/messages.ts';
import type { ResponderDeps } from './responder-deps.ts';

const LONGEST_TEXT = 50_000;
/** In one look; the rest comes with the next. Also how many Jira and ServiceNow are asked for. */
const MOST_NEW = 100;
/** Of one ticket: a system that gives its comments another id each time must not fill an incident, day and night. */
const MOST_KNOWN = 2000;
const LONGEST_AUTHOR = 200;

/** As it was said there. */
function toldText({ kind, comment, author, status, number }: UnknownCopy): string {
  const about = { number, title: '', url: '' };
  if (kind === 'comment') return TOLD.comment(author ?? '', comment ?? '');
  return kind === 'status' ? TOLD.status(about, status ?? '') : TOLD.removed(about);
}

/** Systems keep line ends and blanks in their own way. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const isCopy = (comment: RemoteComment) => (copy: UnknownCopy) =>
  plain(toldText(copy)) === plain(comment.text);

/** Answers how many comments were new. */
export async function takeIn(
  responderId: string,
  state: RemoteState,
  { db, now, notify }: Pick<ResponderDeps, 'db' | 'now' | 'notify'>,
): Promise<number> {
  const known = await knownRemoteComments(db, responderId);
  const room = Math.max(0, Math.min(MOST_NEW, MOST_KNOWN - known.size));
  const unknown = state.comments
    .filter(({ id, text }) => !known.has(id) && plain(text) !== '')
    .slice(0, room);
  let added = 0;
  const isNews = await db.transaction(async (tx) => {
    const own = unknown.length === 0 ? [] : await copiesWithoutId(tx, responderId);
    for (const comment of unknown) {
      const place = own.findIndex(isCopy(comment));
      const [copy] = place === -1 ? [] : own.splice(place, 1);
      if (copy !== undefined) {
        const { comment_id: commentId } = copy;
        if (commentId === null) await noteRemoteComment(tx, responderId, comment.id);
        else await noteCopy(tx, { commentId, responderId, externalId: comment.id });
        if (copy.message_id !== null) await finishMessage(tx, copy.message_id);
      } else if (await noteRemoteComment(tx, responderId, comment.id)) {
        await insertRemoteComment(tx, responderId, {
          id: comment.id,
          author: comment.author.slice(0, LONGEST_AUTHOR),
          text: comment.text.slice(0, LONGEST_TEXT),
        });
        added += 1;
      }
    }
    const { status, phase } = state;
    return noteState(tx, responderId, { status, phase, now: new Date(now()) });
  });
  if (added > 0) notify('comments', 'incident_histories');
  if (isNews) notify('responders', 'responder_deliveries');
  return added;
}
