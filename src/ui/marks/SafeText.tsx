import { textParts, visibleText } from '../../domain/plain-text.ts';

interface SafeTextProps {
  text: string;
  /** Longer ones are cut here with a mark; a line without end would stop the page. */
  maxChars?: number;
}

const MAX_CHARS = 20_000;

/** Text of somebody else: its own direction, its addresses as links that tell the page behind nothing. */
export function SafeText({ text, maxChars = MAX_CHARS }: SafeTextProps) {
  const shown = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return (
    <bdi>
      {textParts(visibleText(shown)).map((part, at) =>
        part.kind === 'link' ? (
          <a key={at} href={part.text} target="_blank" rel="noreferrer noopener">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
