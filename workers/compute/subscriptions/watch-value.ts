/** Sends a value at once, and again whenever it differs from what was sent when the function is called that this returns. */
export function watchValue<T>(read: () => T, listener: (value: T) => void): () => void {
  let sent: string | null = null;
  const refresh = () => {
    const value = read();
    const text = JSON.stringify(value);
    if (text === sent) return;
    sent = text;
    listener(value);
  };
  refresh();
  return refresh;
}
