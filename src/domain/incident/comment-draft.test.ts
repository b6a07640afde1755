import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  draftOf,
  editDraft,
  EMPTY_DRAFT,
  insertMention,
  mentionQuery,
  storedComment,
  type CommentDraft,
} from './comment-draft.ts';

const ada = { id: '1', name: 'Ada Byron' };
const mentioned = insertMention({ text: 'Ask @ad', mentions: [] }, { at: 4, end: 7 }, ada).draft;

function checkDraft({ text, mentions }: CommentDraft): void {
  let from = 0;
  for (const { at, name } of mentions) {
    expect(at).toBeGreaterThanOrEqual(from);
    expect(text.slice(at, at + name.length + 1)).toBe(`@${name}`);
    from = at + name.length + 1;
  }
}

describe('a comment that is being written', () => {
  test('shows the name and stores the person', () => {
    expect(mentioned.text).toBe('Ask @Ada Byron ');
    expect(storedComment(mentioned)).toBe('Ask @[Ada Byron](user:1) ');
  });

  test('keeps its mention while text before and after it changes', () => {
    const before = editDraft(mentioned, 'Please ask @Ada Byron ');
    expect(storedComment(editDraft(before, 'Please ask @Ada Byron, soon'))).toBe(
      'Please ask @[Ada Byron](user:1), soon',
    );
  });

  test('whose mention is touched holds plain text there', () => {
    expect(storedComment(editDraft(mentioned, 'Ask @Ada Byro '))).toBe('Ask @Ada Byro ');
  });

  test('with two mentions of one name loses the one before the caret, not the other', () => {
    const two = draftOf('@[Bo](user:1)@[Bo](user:2)');
    expect(storedComment(editDraft(two, '@Bo', 0))).toBe('@[Bo](user:2)');
    expect(storedComment(editDraft(two, '@Bo', 3))).toBe('@[Bo](user:1)');
  });

  test('opened again is the same', () => {
    const comment = 'See https://a.b, @[Ada %5BOps%5D](user:1): now';
    expect(draftOf(comment).text).toBe('See https://a.b, @Ada [Ops]: now');
    expect(storedComment(draftOf(comment))).toBe(comment);
  });

  test('never points a mention at other text, whatever is typed, pasted or deleted', () => {
    const edit = fc.record({ from: fc.nat(40), length: fc.nat(8), text: fc.stringMatching(/^[a@ Bo]*$/) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), fc.boolean(), (edits, isCaretKnown) => {
        let draft = draftOf('@[Bo](user:1) and @[Bo](user:2) ask @[Bo o](user:3)');
        for (const { from, length, text } of edits) {
          const at = Math.min(from, draft.text.length);
          const next = draft.text.slice(0, at) + text + draft.text.slice(at + length);
          draft = editDraft(draft, next, isCaretKnown ? at + text.length : undefined);
          expect(draft.text).toBe(next);
          checkDraft(draft);
          expect(draftOf(storedComment(draft)).text).toBe(next);
        }
      }),
    );
  });
});

describe('suggestions of people', () => {
  const query = (text: string) => mentionQuery({ text, mentions: [] }, text.length);

  test('begin with an @ at the start of a word, and follow what is typed', () => {
    expect(query('@')).toEqual({ at: 0, text: '' });
    expect(query('ask @ada by')).toEqual({ at: 4, text: 'ada by' });
    expect(query('(@bo')).toEqual({ at: 1, text: 'bo' });
  });

  test.each(['', 'ada', 'ada@b.co', '@ ', '@ada\nthen', `@${'a'.repeat(61)}`])(
    'stay away from %j',
    (text) => {
      expect(query(text)).toBeNull();
    },
  );

  test('stay away from who is mentioned already', () => {
    expect(mentionQuery(mentioned, 14)).toBeNull();
    expect(mentionQuery(EMPTY_DRAFT, 0)).toBeNull();
  });
});
