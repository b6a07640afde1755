/** The text without those characters at its end. A pattern such as `/\/+$/` takes the square of a row of them further in. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
