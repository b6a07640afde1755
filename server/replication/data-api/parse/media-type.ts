/** Which of the forms that the data API can answer the header Accept asks for. */
import { DataApiError, clip } from './api-error.ts';
import type { OutputForm } from '../statement/output-query.ts';

export interface MediaType {
  form: OutputForm;
  /** One object in place of an array; more or fewer rows are an error. */
  isSingle: boolean;
  contentType: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_MEDIA: MediaType = { form: 'json', isSingle: false, contentType: JSON_TYPE };
const OBJECT = 'application/vnd.pgrst.object';
const ARRAY = 'application/vnd.pgrst.array';

function object(withoutNulls: boolean): MediaType {
  return {
    form: withoutNulls ? 'json-without-nulls' : 'json',
    isSingle: true,
    contentType: `${OBJECT}+json; ${withoutNulls ? 'nulls=stripped; ' : ''}charset=utf-8`,
  };
}

/** One entry of the header, without its quality; null for a form that is not offered. */
function mediaOf(entry: string): MediaType | null {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const withoutNulls = parameters.includes('nulls=stripped');
  switch (type) {
    case '':
    case '*/*':
    case 'application/*':
    case 'application/json':
      return JSON_MEDIA;
    case `${OBJECT}+json`:
    case OBJECT:
      return object(withoutNulls);
    case `${ARRAY}+json`:
    case ARRAY:
      return withoutNulls
        ? {
            form: 'json-without-nulls',
            isSingle: false,
            contentType: `${ARRAY}+json; nulls=stripped; charset=utf-8`,
          }
        : JSON_MEDIA;
    case 'text/csv':
      return { form: 'csv', isSingle: false, contentType: 'text/csv; charset=utf-8' };
    default:
      return null;
  }
}

function quality(entry: string): number {
  const given = /;\s*q=([\d.]+)/.exec(entry)?.[1];
  return given === undefined ? 1 : Number(given);
}

/** The best offered entry, by quality and then by order. */
export function readMediaType(accept: string | undefined): MediaType {
  const entries = (accept ?? '*/*').split(',').map((entry) => entry.trim());
  const wanted = entries.toSorted((a, b) => quality(b) - quality(a));
  for (const entry of wanted) {
    const media = mediaOf(entry);
    if (media !== null) return media;
  }
  throw new DataApiError(406, {
    code: 'PGRST107',
    message: `None of these media types are available: ${entries.map((entry) => clip(entry)).join(', ')}`,
  });
}
