/** A property's value (contract §19.10): a text, a bar with it where it is known how much there can be, links, an age. */
import { memo } from 'react';
import type { ShownProperty } from '../../../domain/topology/property-text.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages } from '../messages.ts';
import classes from './property.module.css';
import { lookupTable } from '../../../lib/lookup-table.ts';

const words = messages.card;

/** Health has its colours; others say nothing here. */
const COLORS = lookupTable<string | undefined>({
  red: classes.red,
  orange: classes.orange,
  yellow: classes.orange,
  green: classes.green,
});

interface PropertyValueProps {
  shown: ShownProperty;
  color: string | null;
}

function Bar({ share, isHigh, title }: { share: number; isHigh: boolean; title: string }) {
  return (
    <span className={classes.bar} data-high={isHigh} title={title} aria-hidden>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function Links({ links }: { links: Extract<ShownProperty, { kind: 'links' }>['links'] }) {
  return (
    <span className={classes.links}>
      {links.map(({ url, label, tooltip }) => (
        <a key={`${url} ${label}`} href={url} target="_blank" rel="noreferrer" title={tooltip}>
          {label}
        </a>
      ))}
    </span>
  );
}

/** See the head of this file. */
export const PropertyValue = memo(function PropertyValue({ shown, color }: PropertyValueProps) {
  if (shown.kind === 'age') return <Age at={shown.at} suffix={words.ago} />;
  if (shown.kind === 'links') return <Links links={shown.links} />;
  const { text, of, share, isHigh } = shown;
  const look = isHigh ? classes.red : COLORS[color?.toLowerCase() ?? ''];
  const whole = of === null ? text : `${text}${words.of}${of}`;
  return (
    <span className={classes.value}>
      <span className={`${classes.text} ${look ?? ''}`} title={whole} data-high={isHigh}>
        {text}
        {of !== null && <span className={classes.of}>{`${words.of}${of}`}</span>}
      </span>
      {share !== null && (
        <Bar share={share} isHigh={isHigh} title={`${whole} (${words.share(Math.round(share * 100))})`} />
      )}
    </span>
  );
});
