/** The first `most` code units of a text, or one less: half of a character is no text that can be stored. */
export function cutText(text: string, most: number): string {
  const code = text.length > most ? text.charCodeAt(most - 1) : 0;
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, isFirstHalf ? most - 1 : most);
}
