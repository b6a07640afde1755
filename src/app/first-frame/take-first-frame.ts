/** Takes down how a page looks, for the first frame of the next start there. */
import { tabletHere } from '../../data/device/platform-tablet.ts';
import { buildName } from '../../data/client/build-name.ts';
import { writeFrame } from '../../data/client/windows/first-frame.ts';
import { takeNodes } from './frame-nodes.ts';

/** The lists that people open the app with. */
const PAGES = new Set(['/health', '/topology', '/incidents', '/catalog']);
/** What lies over a page is open no more at the next start, and nothing is chosen. */
const OVER_THE_PAGE = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const CHOOSING = '[inert], [data-row-kind] input[type=checkbox], main input[type=checkbox]:checked';

const pathOf = (href: string) => new URL(href).pathname;

/** Whether what is seen is how the page begins. */
function isAtStart(root: Element): boolean {
  if (document.querySelector(OVER_THE_PAGE) !== null || root.querySelector(CHOOSING) !== null) return false;
  return [...root.querySelectorAll('main, [data-row-scroller]')].every(({ scrollTop }) => scrollTop < 1);
}

/** Null where the page isn't one that begins with a frame, or isn't as it will be at the next start. */
export function takeFirstFrame(root: Element, untilMs: number | null): string | null {
  // A shared tablet shows nothing of anybody before somebody showed who he is.
  if (!PAGES.has(location.pathname) || tabletHere() !== null || !isAtStart(root)) return null;
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  const frame = {
    widthPx: window.innerWidth,
    untilMs,
    styles: styles.map(({ href }) => pathOf(href)),
    nodes: takeNodes(root),
  };
  return writeFrame(frame, buildName());
}
