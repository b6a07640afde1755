/**
 * A comment while it is written: the field shows `@display`, what is stored carries the id as well. The draft
 * keeps where its mentions stand and moves them with every edit; a mention that was touched is text again.
 * Invariant: `text.slice(at, at + name.length + 1) === '@' + name` for each of them, in order, without overlap.
 */
import { commentParts, mentionMarkup } from './mentions.ts';

export interface DraftMention {
  at: number;
  id: string;
  name: string;
}

export interface CommentDraft {
  text: string;
  mentions: readonly DraftMention[];
}

export const EMPTY_DRAFT: CommentDraft = { text: '', mentions: [] };

const endOf = ({ at, name }: DraftMention): number => at + name.length + 1;

/** A stored comment, to be edited. */
export function draftOf(comment: string): CommentDraft {
  let text = '';
  const mentions: DraftMention[] = [];
  for (const part of commentParts(comment)) {
    if (part.kind === 'mention') {
      mentions.push({ at: text.length, id: part.id, name: part.name });
      text += `@${part.name}`;
    } else text += part.kind === 'link' ? part.href : part.text;
  }
  return { text, mentions };
}

/** The draft as it is stored. */
export function storedComment({ text, mentions }: CommentDraft): string {
  let stored = '';
  let from = 0;
  for (const mention of mentions) {
    stored += text.slice(from, mention.at) + mentionMarkup(mention);
    from = endOf(mention);
  }
  return stored + text.slice(from);
}

/** How many characters two texts share at their start. */
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) if (a[at] !== b[at]) return at;
  return most;
}

function sharedEnd(a: string, b: string, most: number): number {
  for (let count = 0; count < most; count += 1) {
    if (a.at(-1 - count) !== b.at(-1 - count)) return count;
  }
  return most;
}

/** The draft after its text was edited in one place. `caret`: where the edit ended, as far as the field tells. */
export function editDraft(draft: CommentDraft, text: string, caret: number = text.length): CommentDraft {
  // Without the caret "a@Bo@Bo" minus one "@Bo" could be either of them: the part after the caret is untouched.
  const after = Math.min(text.length - caret, draft.text.length);
  const isTail = after >= 0 && draft.text.endsWith(text.slice(caret));
  const most = Math.min(draft.text.length, text.length);
  const kept = isTail ? Math.max(0, after) : 0;
  const start = Math.min(sharedStart(draft.text, text), most - Math.min(kept, most));
  const end = sharedEnd(draft.text, text, most - start);
  const moved = text.length - draft.text.length;
  const editEnd = draft.text.length - end;
  const mentions = draft.mentions.flatMap((mention) => {
    if (endOf(mention) <= start) return [mention];
    return mention.at >= editEnd ? [{ ...mention, at: mention.at + moved }] : [];
  });
  return { text, mentions };
}

/** What is being typed after an `@`, for suggestions; null where nobody is about to be mentioned. */
export function mentionQuery(draft: CommentDraft, caret: number): { at: number; text: string } | null {
  const before = draft.text.slice(0, caret);
  const at = before.lastIndexOf('@');
  if (at < 0 || draft.mentions.some((mention) => mention.at === at)) return null;
  // An address of mail is no mention.
  if (at > 0 && !/[\s([{,;:>"'-]/.test(before[at - 1] ?? '')) return null;
  const text = before.slice(at + 1);
  return /[\n@]/.test(text) || text.length > 60 || text.startsWith(' ') ? null : { at, text };
}

/** The draft with somebody mentioned in place of what was typed, and where the caret goes. */
export function insertMention(
  draft: CommentDraft,
  { at, end }: { at: number; end: number },
  person: { id: string; name: string },
): { draft: CommentDraft; caret: number } {
  const name = person.name.replaceAll('\n', ' ');
  const follows = draft.text.slice(end);
  const inserted = `@${name}${/^\s/.test(follows) ? '' : ' '}`;
  const moved = inserted.length - (end - at);
  const mentions = [
    ...draft.mentions.filter((mention) => endOf(mention) <= at),
    { at, id: person.id, name },
    ...draft.mentions
      .filter((mention) => mention.at >= end)
      .map((mention) => ({ ...mention, at: mention.at + moved })),
  ];
  return {
    draft: { text: draft.text.slice(0, at) + inserted + follows, mentions },
    caret: at + name.length + 2,
  };
}
