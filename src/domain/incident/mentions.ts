/** Mentions within a comment, written `@[display](user:id)` (spec 3 §2). */
const MENTION = /@\[([^\]]*)\]\(user:[^)]*\)/g;

export type CommentPart = { kind: 'text'; text: string } | { kind: 'mention'; name: string };

/** A comment as plain text, with mentions as `@display`. */
export function plainMentions(comment: string): string {
  return comment.replaceAll(MENTION, '@$1');
}

/** A comment in parts, for showing mentions apart. */
export function commentParts(comment: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let from = 0;
  for (const match of comment.matchAll(MENTION)) {
    if (match.index > from) parts.push({ kind: 'text', text: comment.slice(from, match.index) });
    parts.push({ kind: 'mention', name: match[1] ?? '' });
    from = match.index + match[0].length;
  }
  if (from < comment.length) parts.push({ kind: 'text', text: comment.slice(from) });
  return parts;
}
