/** One line whole: its text, what it says of itself, its labels. */
import { useEffect, useState } from 'react';
import type { LogDetail, LogQuery } from '../../contract/logs/log-view.ts';
import { readLogLine } from '../../data/queries/logs/use-log.ts';
import { formatInstant } from '../../domain/time/format.ts';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { SafeText } from '../../ui/marks/SafeText.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Facts } from '../../ui/page/Page.tsx';
import { LevelMark } from './LevelMark.tsx';
import { LinePieces } from './LinePieces.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';

const words = messages.detail;

interface LineSheetProps {
  query: LogQuery;
  seq: number;
  onClose: () => void;
}

/** Undefined until the worker has answered. */
function useLine(query: LogQuery, seq: number): LogDetail | null | undefined {
  const [line, setLine] = useState<LogDetail | null | undefined>(undefined);
  const text = JSON.stringify(query);
  useEffect(() => {
    let isWanted = true;
    void readLogLine(JSON.parse(text) as LogQuery, seq).then((answer) => {
      if (isWanted) setLine(answer.ok ? answer.value : null);
    });
    return () => {
      isWanted = false;
    };
  }, [text, seq]);
  return line;
}

function Pairs({ title, pairs }: { title: string; pairs: readonly (readonly [string, string])[] }) {
  if (pairs.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Facts facts={pairs.map(([name, value]) => ({ name, value: <SafeText text={value} /> }))} />
    </>
  );
}

/** See the head of this file. */
export function LineSheet({ query, seq, onClose }: LineSheetProps) {
  const line = useLine(query, seq);
  return (
    <Sheet label={words.title} side="right" hasTitle onClose={onClose}>
      <div className={classes.detail}>
        {line === null && <p>{words.gone}</p>}
        {line !== null && line !== undefined && (
          <>
            <p className={classes.detailHead}>
              <LevelMark level={line.level} /> {messages.levels[line.level]} · {formatInstant(line.atMs)}
              <CopyButton text={line.text} label={words.copy} />
            </p>
            <pre className={classes.whole} tabIndex={0}>
              <LinePieces pieces={line.pieces} />
            </pre>
            <Pairs title={words.fields} pairs={line.fields} />
            <Pairs title={words.labels} pairs={line.labels} />
          </>
        )}
      </div>
    </Sheet>
  );
}
