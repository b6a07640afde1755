/** A word of the wire as people read it: `technicalDebt` and `technical_debt` are `Technical debt`. */
export function sentenceCase(word: string): string {
  const parts = word
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}
