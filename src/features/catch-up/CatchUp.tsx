/** What happened while this device was away, over the page until it is dismissed (users.md 6). */
import { IconX } from '@tabler/icons-react';
import { useId, useMemo, useState } from 'react';
import type { CatchUpCard } from '../../contract/worker.ts';
import { dismissCatchUp } from '../../data/commands/commands.ts';
import { useCatchUp } from '../../data/queries/use-catch-up.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { IconButton } from '../../ui/actions/Button.tsx';
import { awayText, catchUpParts, type CatchUpPart } from './catch-up-parts.ts';
import classes from './catch-up.module.css';
import { messages } from './messages.ts';

/** More stand on their own pages. */
const LINKS_SHOWN = 20;

function PartLinks({ id, part }: { id: string; part: CatchUpPart }) {
  const more = part.links.length - LINKS_SHOWN;
  return (
    <ul id={id} aria-label={part.text} className={classes.links}>
      {part.links.slice(0, LINKS_SHOWN).map((link) => (
        <li key={link.key}>
          <AppLink href={link.href}>{link.text}</AppLink>
        </li>
      ))}
      {more > 0 && <li>{messages.more(more)}</li>}
    </ul>
  );
}

function Card({ card }: { card: CatchUpCard }) {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const listId = useId();
  const parts = useMemo(() => catchUpParts(card), [card]);
  const open = parts.find(({ key }) => key === openKey);
  return (
    <section aria-label={messages.label} className={classes.card} data-testid="catch-up">
      <div className={classes.line}>
        <span role="status" className={classes.away}>
          {messages.away(awayText(card.toMs - card.fromMs))}:
        </span>
        {parts.map(({ key, text }) => (
          <button
            key={key}
            type="button"
            className={classes.part}
            aria-expanded={key === openKey}
            aria-controls={listId}
            onClick={() => setOpenKey(key === openKey ? null : key)}
          >
            {text}
          </button>
        ))}
        <span className={classes.dismiss}>
          <IconButton label={messages.dismiss} onClick={dismissCatchUp}>
            <IconX size={17} />
          </IconButton>
        </span>
      </div>
      {open !== undefined && <PartLinks id={listId} part={open} />}
    </section>
  );
}

/** Nothing while there is no card. */
export function CatchUp() {
  const card = useCatchUp();
  return card === null ? null : <Card key={card.fromMs} card={card} />;
}
