/**
 * The name of the app's own script, which the document loads: the name of a built file changes with its content, and so with
 * that of all files that it loads. In development there is none.
 */
export function buildName(): string {
  const entry = document.querySelector('#entry');
  if (entry instanceof HTMLLinkElement) return entry.href;
  return entry instanceof HTMLScriptElement ? entry.src : 'development';
}
