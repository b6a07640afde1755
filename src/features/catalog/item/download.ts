/** A text as a file that the browser saves; nothing of it leaves the device. */
import type { WrittenDocument } from '../../../contract/written-document.ts';
import { trimEnd } from '../../../lib/trim-end.ts';

const ENDINGS: Readonly<Record<WrittenDocument['form'], string>> = {
  yaml: 'yaml',
  json: 'json',
  text: 'txt',
};

/** A name that every file system takes. */
export function fileName(name: string, { form, format }: Pick<WrittenDocument, 'form' | 'format'>): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+/, '');
  const base = trimEnd(plain, '-.').slice(0, 100);
  const own = format !== null && /^[a-z0-9]{1,8}$/i.test(format) ? format.toLowerCase() : null;
  return `${base === '' ? 'config' : base}.${form === 'text' ? (own ?? ENDINGS.text) : ENDINGS[form]}`;
}

/** An address to save from; release it when it was followed. */
export function downloadAddress(text: string): { address: string; release: () => void } {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  return { address, release: () => URL.revokeObjectURL(address) };
}
