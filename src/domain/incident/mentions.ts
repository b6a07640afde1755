/**
 * Mentions within a comment, written `@[display](user:id)` (spec 3 §2). What would end the display too early is
 * percent-encoded in it, so that every reader of the plain format, ours in SQL included, finds the same mentions.
 */
import { lookupTable } from '../../lib/lookup-table.ts';
/** No name and no id is longer: what begins many and ends none is looked at once. */
const MENTION = /@\[([^\]]{0,2000})\]\(user:([^)]{0,2000})\)/g;
/** Up to the first character that no address has; what ends a sentence is not part of it. */
const ADDRESS = /https?:\/\/[^\s<>"'`\\^{|}]+/gi;
const HOST = /^https?:\/\/[\p{L}\p{N}[]/iu;
const TRAILING = '.,;:!?';

const ENCODED = lookupTable<string>({
  '%': '%25',
  '[': '%5B',
  ']': '%5D',
  '(': '%28',
  ')': '%29',
  '\n': ' ',
});
const DECODED = lookupTable<string>({
  '%25': '%',
  '%5B': '[',
  '%5D': ']',
  '%28': '(',
  '%29': ')',
});

export type CommentPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; name: string; id: string }
  /** Only ever http or https. */
  | { kind: 'link'; href: string };

function encoded(name: string): string {
  return name.replaceAll(/[%[\]()\n]/g, (character) => ENCODED[character] ?? character);
}

function decoded(display: string): string {
  return display.replaceAll(/%(?:25|5B|5D|28|29)/gi, (code) => DECODED[code.toUpperCase()] ?? code);
}

/** A mention as it is stored. */
export function mentionMarkup({ id, name }: { id: string; name: string }): string {
  return `@[${encoded(name)}](user:${id})`;
}

/** A comment as plain text, with mentions as `@display`. */
export function plainMentions(comment: string): string {
  return comment.replaceAll(MENTION, (_, display: string) => `@${decoded(display)}`);
}

/** The ids of the people that a comment mentions, each once. */
export function mentionedIds(comment: string): string[] {
  return [...new Set([...comment.matchAll(MENTION)].map((match) => match[2] ?? ''))];
}

/** A closing bracket belongs to an address only when it was opened within it. */
function withoutLooseEnd(address: string): string {
  let loose = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (;;) {
    const last = address.charAt(end - 1);
    if (last === ')' && loose > 0) loose -= 1;
    else if (last === '' || !TRAILING.includes(last)) return address.slice(0, end);
    end -= 1;
  }
}

/** Text with the addresses in it as links (spec 3 §2: http or https only). */
function linkParts(text: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const href = withoutLooseEnd(match[0]);
    // A scheme alone leads nowhere.
    if (!HOST.test(href)) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push({ kind: 'link', href });
    from = match.index + href.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** A comment in parts, for showing mentions and links apart. */
export function commentParts(comment: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let from = 0;
  for (const match of comment.matchAll(MENTION)) {
    parts.push(...linkParts(comment.slice(from, match.index)));
    parts.push({ kind: 'mention', name: decoded(match[1] ?? ''), id: match[2] ?? '' });
    from = match.index + match[0].length;
  }
  return [...parts, ...linkParts(comment.slice(from))];
}
