import type { LinePiece } from '../../domain/logs/line-pieces.ts';
import classes from './logs.module.css';

function Piece({ piece: { text, tone, isBold, isFound, href } }: { piece: LinePiece }) {
  const style = [tone === undefined ? '' : classes[tone], isBold === true ? classes.bold : ''].join(' ');
  const inner = isFound === true ? <mark className={classes.found}>{text}</mark> : text;
  if (href !== undefined) {
    return (
      <a href={href} target="_blank" rel="noreferrer noopener" className={style}>
        {inner}
      </a>
    );
  }
  return style === ' ' && isFound !== true ? text : <span className={style}>{inner}</span>;
}

/** A line's text with its colours, what was found in it, and addresses of http and https. */
export function LinePieces({ pieces }: { pieces: readonly LinePiece[] }) {
  return (
    <bdi>
      {pieces.map((piece, at) => (
        <Piece key={at} piece={piece} />
      ))}
    </bdi>
  );
}
