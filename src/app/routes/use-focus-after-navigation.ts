/**
 * Where the keyboard goes on after a link was followed whose place is gone: in the heading of the new page; back where
 * it came from, in the link that was followed. What somebody focuses meanwhile, such as a search field, stays.
 */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { CONTENT_ID } from '../shell/Shell.tsx';

/** A page may have to be fetched, and its rows read, before the focus finds its place. */
const PATIENCE_MS = 10_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel'] as const;

const content = () => document.getElementById(CONTENT_ID);
const isLost = () => document.activeElement === document.body || document.activeElement === content();

function heading(): HTMLElement | null {
  const found = content()?.querySelector('h1') ?? null;
  if (found !== null) found.tabIndex = -1;
  return found;
}

function linkTo(href: string): HTMLElement | null {
  return content()?.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`) ?? null;
}

/**
 * Focuses what is looked for as soon as it is there, and again where the page draws it anew, until somebody touches or
 * types; answers how to end that.
 */
function focusWhenThere(find: () => HTMLElement | null): () => void {
  const place = content();
  if (place === null || !isLost()) return () => undefined;
  const take = () => {
    if (isLost()) (find() ?? place).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(take);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const name of TOUCHES) document.removeEventListener(name, end, true);
  };
  const timer = setTimeout(end, PATIENCE_MS);
  for (const name of TOUCHES) document.addEventListener(name, end, true);
  observer.observe(place, { childList: true, subtree: true });
  take();
  return end;
}

/** See the head of this file. */
export function useFocusAfterNavigation(): void {
  const { history } = useRouter();
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef<string | undefined>(undefined);
  /** By path: the link that was followed from there. */
  const followed = useRef(new Map<string, string>());
  const isBack = useRef(false);
  const endWatch = useRef<(() => void) | null>(null);
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        // A page that writes its own address anew goes nowhere.
        if (action.type === 'REPLACE') return;
        // What it brings is no longer what the former page was waited for.
        endWatch.current?.();
        isBack.current = action.type === 'BACK' || action.type === 'GO';
        const href = document.activeElement?.getAttribute('href') ?? null;
        if (action.type === 'PUSH' && href !== null && before.current !== undefined)
          followed.current.set(before.current, href);
      }),
    [history],
  );
  useEffect(() => {
    const isFollowed = before.current !== undefined && before.current !== path;
    before.current = path;
    if (!isFollowed || path === undefined) return;
    const href = isBack.current ? followed.current.get(path) : undefined;
    endWatch.current = focusWhenThere(href === undefined ? heading : () => linkTo(href));
    return endWatch.current;
  }, [path]);
}
