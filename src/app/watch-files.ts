/**
 * Written into the document's head before anything that loads a file (scripts/inline-scripts.ts): where a file of the app
 * does not come, the page is loaded again as soon as there is a server; without the app's own script it says so.
 */
import { buildName } from '../data/client/build-name.ts';
import { NOT_STARTED } from './not-started.ts';
import { isServerThere, reloadWhenThere } from './platform-reload.ts';

const TITLE = 'Holdfast could not be loaded';
const HINT = 'A file of the app is missing. It is loaded again as soon as the server answers.';
const NO_ANSWER = 'The server does not answer. The app is loaded again as soon as it does.';
const RETRY = 'Retry';

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** The style sheet may be what is missing. */
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
  main.style.cssText = 'max-width:32rem;margin:20vh auto 0;padding:0 24px;font:16px/1.5 system-ui,sans-serif';
  retry.style.cssText = 'min-height:44px;padding:0 24px;font:inherit';
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

window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) {
      sayNotStarted();
      reload(target.src, 'page');
    } else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') reload(target.href, 'page');
  },
  true,
);
window.addEventListener(NOT_STARTED, () => {
  sayNotStarted();
  reload(buildName(), 'page');
});
window.addEventListener('vite:preloadError', () => reload('/', 'part'));
