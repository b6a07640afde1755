/** What the service worker tells a page when a notification is pressed. In a file of its own: it is heard from the start. */

/** Hears that somebody tapped a notification; `type` as the service worker says it. */
export function onOpenPage(type: string, open: (url: string) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const hear = ({ data }: MessageEvent<unknown>) => {
    const isOurs = typeof data === 'object' && data !== null && 'type' in data && data.type === type;
    if (isOurs && 'url' in data && typeof data.url === 'string' && /^\/(?![/\\])/.test(data.url))
      open(data.url);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}
