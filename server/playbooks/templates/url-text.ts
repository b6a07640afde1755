/** An address from the pieces of its template: what was put in never changes which request it is. */
import { AppError } from '../../../src/contract/errors.ts';
import type { TemplatePiece } from './template-pieces.ts';

export interface UrlText {
  url: string;
  /** A value says which host is called: it is a stranger's choice then, whoever wrote the template. */
  isHostChosen: boolean;
}

const HAS_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*[/?#]/i;
const HOST_PART = /^[A-Za-z0-9._:[\]-]*$/;

/** Throws `invalid` for a value that would lead elsewhere. */
export function urlText(pieces: readonly TemplatePiece[]): UrlText {
  let url = '';
  let isHostChosen = false;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      url += piece.text;
      continue;
    }
    const { value } = piece;
    if (HAS_HOST.test(url)) {
      if (/^\.+$/.test(value))
        throw new AppError('invalid', `url: the value "${value}" leads to another path`);
      url += encodeURIComponent(value);
      continue;
    }
    isHostChosen = true;
    if (url.trim() !== '' && !HOST_PART.test(value))
      throw new AppError('invalid', 'url: a value in the name of the host has characters that no host has');
    url += value;
  }
  return { url, isHostChosen };
}
