import { useLayoutEffect, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { headlessRoot } from './testing/headless-root.ts';
import { useAskedText, useSearchText } from './use-search-text.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A page as most are: its question follows from what it draws. */
function page() {
  const asked: string[] = [];
  const parts: { field?: ReturnType<typeof useSearchText>; setStart?: (start: number) => void } = {};
  const Page = () => {
    const [start, setStart] = useState(0);
    const field = useSearchText('', () => {});
    const question = `${field.text} ${start}`;
    useLayoutEffect(() => {
      asked.push(question);
    }, [question]);
    useLayoutEffect(() => {
      Object.assign(parts, { field, setStart });
    }, [field]);
    return null;
  };
  return { asked, parts, Page };
}

test('every text that is typed is asked for, also where the page draws for another reason that changes nothing', async () => {
  const { asked, parts, Page } = page();
  const root = await headlessRoot(Page);
  await vi.waitFor(() => expect(asked).toEqual([' 0']));
  root.press(() => {
    parts.field?.setText('a');
    // Another search begins at the first page, where it is already: React draws once, and drops the effects of that.
    parts.setStart?.(0);
  });
  await vi.waitFor(() => expect(asked.at(-1)).toBe('a 0'));
  await root.unmount();
});

test('the link has the text as long after the last key as the page says', async () => {
  const linked: string[] = [];
  const parts: { setText?: (text: string) => void } = {};
  const root = await headlessRoot(() => {
    const { setText } = useAskedText('', (text) => linked.push(text), 500);
    useLayoutEffect(() => {
      Object.assign(parts, { setText });
    }, [setText]);
    return null;
  });
  await vi.waitFor(() => expect(parts.setText).toBeDefined());
  vi.useFakeTimers();
  parts.setText?.('a');
  vi.advanceTimersByTime(499);
  expect(linked).toEqual([]);
  parts.setText?.('ab');
  vi.advanceTimersByTime(499);
  expect(linked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(linked).toEqual(['ab']);
  vi.useRealTimers();
  await root.unmount();
});
