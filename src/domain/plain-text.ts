/**
 * Text that somebody else wrote, made safe to look at: it is only ever shown as text, its addresses become links
 * for http and https alone (spec 3 §2 'Logs'), and what would reorder or hide its neighbours is shown as itself.
 */
import { trimEnd } from '../lib/trim-end.ts';
export type TextPart = { kind: 'text' | 'link'; text: string };

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{|}\p{Cc}\p{Cf}]+/giu;
/** What closes the sentence around an address rather than the address. */
const TRAILING = '.,;:!?)]';

/** A text in parts, with nothing lost between: addresses that may be followed, and the rest. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimEnd(match[0], TRAILING);
    // A scheme alone leads nowhere.
    if (address.length <= 'https://'.length) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push({ kind: 'link', text: address });
    from = match.index + address.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** Marks that change the direction of what follows: they can make a line read as another one. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const nameOf = (mark: string) =>
  `⟨U+${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}⟩`;

/** The text with its invisible marks made visible; tabs and line ends stay. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(REORDERING, nameOf).replace(CONTROL, nameOf);
}
