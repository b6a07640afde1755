/**
 * Written into the document's head before anything that loads a file (scripts/inline-scripts.ts): where a file of the app
 * does not come, the page is loaded again as soon as there is a server; where the app's own script does not come or fails
 * before it painted anything, it says so.
 */
import { buildName } from '../data/client/build-name.ts';
import { NOT_STARTED } from './not-started.ts';
import { isServerThere, reloadWhenThere } from './platform-reload.ts';

const TITLE = 'Holdfast could not be loaded';
const HINT = 'A file of the app is missing or failed. It is loaded again as soon as the server answers.';
const NO_ANSWER = 'The server does not answer. The app is loaded again as soon as it does.';
const RETRY = 'Retry';
/** A page that has painted nothing so long after an error never will: that error was its end. */
const NOTHING_PAINTED_MS = 3000;

/** Without a style sheet, which may be what is missing. */
const STYLES = {
  main: 'display:grid;gap:12px;place-content:center;justify-items:center;min-height:90vh;padding:0 24px;text-align:center;font:14px/1.5 system-ui,sans-serif',
  h1: 'margin:0;font-size:20px;line-height:1.3',
  p: 'margin:0',
  button:
    'min-height:44px;padding:0 20px;border:0;border-radius:6px;background:#0b6285;color:#fff;font:inherit;font-weight:600',
};

function element<Tag extends keyof typeof STYLES>(tag: Tag, text: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.textContent = text;
  made.style.cssText = STYLES[tag];
  return made;
}

function paint(root: Element): void {
  const { documentElement } = document;
  documentElement.style.colorScheme = documentElement.dataset['mantineColorScheme'] ?? 'light dark';
  const hint = element('p', HINT);
  const retry = element('button', RETRY);
  retry.addEventListener('click', () => {
    void isServerThere().then((isThere) => {
      if (isThere) location.reload();
      else hint.textContent = NO_ANSWER;
    });
  });
  const main = element('main', '');
  main.setAttribute('aria-live', 'assertive');
  root.replaceChildren(main);
  main.append(element('h1', TITLE), hint, retry);
}

/** Of a page that can't be used, and of one that lacks a part. */
const MOST_RELOADS = { page: 8, part: 1 };
let isWaiting = false;

function reload(file: string, kind: keyof typeof MOST_RELOADS): void {
  if (isWaiting) return;
  isWaiting = true;
  void reloadWhenThere(file, MOST_RELOADS[kind]).finally(() => {
    isWaiting = false;
  });
}

function sayNotStarted(): void {
  const root = document.querySelector('#root');
  if (root === null) document.addEventListener('DOMContentLoaded', sayNotStarted);
  else paint(root);
}

function notStarted(): void {
  sayNotStarted();
  reload(buildName(), 'page');
}

function lookSoon(): void {
  setTimeout(() => {
    if (document.querySelector('#root')?.hasChildNodes() === false) notStarted();
  }, NOTHING_PAINTED_MS);
}

window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) {
      sayNotStarted();
      reload(target.src, 'page');
    } else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') reload(target.href, 'page');
    else if (target === window) lookSoon();
  },
  true,
);
window.addEventListener('unhandledrejection', lookSoon);
window.addEventListener(NOT_STARTED, notStarted);
window.addEventListener('vite:preloadError', () => reload('/', 'part'));
