interface SavedFile {
  name: string;
  /** Such as `text/plain`. */
  type: string;
  /** Texts are written as UTF-8. */
  content: string | Uint8Array;
}

/** Has the browser save a file; nothing of it leaves the device. */
export function saveFile({ name, type, content }: SavedFile): void {
  const [part, own] =
    typeof content === 'string' ? [content, `${type};charset=utf-8`] : [new Uint8Array(content), type];
  const address = URL.createObjectURL(new Blob([part], { type: own }));
  const link = window.document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
