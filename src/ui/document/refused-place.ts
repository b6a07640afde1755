import { messages } from '../messages.ts';

/** How the server says that something is missing. */
const REQUIRED = 'is required';

/** What a server refused of a document, at the place that it named. */
export interface RefusedPlace {
  /** As problems name it: `http.0.url`. */
  place: string;
  message: string;
}

/**
 * The place within the document of a path such as `spec.http[0].url`; null for one that names no place in it. The text
 * without the path that it begins with: at its field everybody sees where it is.
 */
export function refusedPlace(path: string, text: string): RefusedPlace | null {
  const place = path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^[^.]+\.?/, '');
  if (place === '') return null;
  const prefix = `${path}: `;
  const message = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return { place, message: message === REQUIRED ? messages.isRequired : message };
}
