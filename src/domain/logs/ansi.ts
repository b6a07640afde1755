/** Colours of a terminal in a line: taken out of its text, kept beside it as the stretches that they are for. */
export const ANSI_TONES = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'grey'] as const;
export type AnsiTone = (typeof ANSI_TONES)[number];

export interface AnsiRun {
  /** In the text without its colours; end excluded. */
  start: number;
  end: number;
  tone: AnsiTone | null;
  isBold: boolean;
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const SEQUENCE = /\u001b(?:\[([0-9;:?]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const ESCAPE = '\u001b';
const TONES: Readonly<Record<number, AnsiTone | null>> = {
  30: 'grey',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  37: null,
  39: null,
};
const BRIGHT = 60;

interface Style {
  tone: AnsiTone | null;
  isBold: boolean;
}

/** What a sequence of numbers changes; backgrounds, palettes and the rest say nothing here. */
function styled(before: Style, codes: string): Style {
  let style = before;
  const numbers = codes === '' ? [0] : codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      at += numbers[at + 1] === 5 ? 2 : 4;
      continue;
    }
    const basic = code >= 90 ? code - BRIGHT : code;
    if (code === 0) style = { tone: null, isBold: false };
    else if (code === 1) style = { ...style, isBold: true };
    else if (code === 22) style = { ...style, isBold: false };
    else if (Object.hasOwn(TONES, basic)) style = { ...style, tone: TONES[basic] ?? null };
  }
  return style;
}

/** The text as it is read and searched; what is no whole sequence stays. */
export function withoutAnsi(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(SEQUENCE, '') : text;
}

/** The text without its colours, and the stretches that have some. */
export function readAnsi(text: string): { text: string; runs: AnsiRun[] } {
  if (!text.includes(ESCAPE)) return { text, runs: [] };
  const runs: AnsiRun[] = [];
  let style: Style = { tone: null, isBold: false };
  let plain = '';
  let from = 0;
  const add = (piece: string) => {
    if (piece !== '' && (style.tone !== null || style.isBold))
      runs.push({ start: plain.length, end: plain.length + piece.length, ...style });
    plain += piece;
  };
  for (const found of text.matchAll(SEQUENCE)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') style = styled(style, found[1] ?? '');
  }
  add(text.slice(from));
  return { text: plain, runs };
}
