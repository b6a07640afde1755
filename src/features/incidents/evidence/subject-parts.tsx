/** What the bodies of several types of evidence are made of. */
import type { ReactNode } from 'react';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { shownHealth } from '../../../domain/topology/component-health.ts';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { SilencedMark, type Silenceable } from '../../../ui/page/Silences.tsx';
import classes from './evidence.module.css';
import type { EvidenceFacts } from './evidence-facts.ts';
import { messages } from './messages.ts';

export interface TypeBodyProps {
  facts: EvidenceFacts;
  /** One line, where there is room for no more. */
  isCompact: boolean;
}

interface SubjectProps {
  icon: ReactNode;
  name: string;
  /** Null where there is nothing to go to. */
  href: string | null;
  /** What it is, where it can be silenced and is there. */
  thing?: Silenceable | null;
  children?: ReactNode;
}

/** What the evidence points at, with a few facts of it as they are now. */
export function Subject({ icon, name, href, thing = null, children }: SubjectProps) {
  const text = <SafeText text={name} maxChars={300} />;
  return (
    <div className={classes.subject}>
      <span className={classes.name}>
        <span className={classes.icon}>{icon}</span>
        {href === null ? <strong>{text}</strong> : <AppLink href={href}>{text}</AppLink>}
        {thing !== null && <SilencedMark {...thing} />}
      </span>
      {children}
    </div>
  );
}

/** The evidence's own words, unless they only name the subject again. */
export function Description({ facts, name }: { facts: EvidenceFacts; name: string }) {
  if (facts.description === '' || facts.description === name) return null;
  return (
    <p className={classes.text}>
      <SafeText text={facts.description} />
    </p>
  );
}

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

interface HowItIsProps {
  health: string | null | undefined;
  status: string | null | undefined;
}

/** How the subject is now. Some have their health as their status alone; it is marked as health there, too. */
export function HowItIs({ health, status }: HowItIsProps) {
  const shown = shownHealth({ health, status });
  const word = health || (shown.status === null ? status : null);
  return (
    <>
      {word ? <HealthLabel state={shown.state} text={capitalized(word)} /> : null}
      {shown.status === null ? null : <Tag value={shown.status} />}
    </>
  );
}

/** How it was when it was attached; said only where that is another thing than now. */
export function Then({ facts, children }: { facts: EvidenceFacts; children: ReactNode }) {
  return (
    <p className={classes.then}>
      {facts.attachedAt === null ? (
        messages.beforeChosen
      ) : (
        <>
          {messages.before} <Age at={facts.attachedAt} suffix={messages.ago} />:
        </>
      )}{' '}
      {children}
    </p>
  );
}

/** The subject isn't here (any more). */
export function Gone({ text, hasMemory }: { text: string; hasMemory: boolean }) {
  return (
    <p className={classes.gone}>
      {text} {hasMemory ? messages.gone.asAttached : messages.gone.nothingKept}
    </p>
  );
}

/** Where an id leads to; nowhere before it is attached, since following would lose what was chosen. */
export function linkTo(
  facts: EvidenceFacts,
  id: string | null,
  hrefOf: (id: string) => string,
): string | null {
  return facts.attachedAt === null || id === null ? null : hrefOf(id);
}

/** A name that leads somewhere, where there is somewhere to go. */
export function MaybeLink({ href, children }: { href: string | null; children: ReactNode }) {
  return href === null ? children : <AppLink href={href}>{children}</AppLink>;
}

/** Facts apart by a dot, those that there are. */
export function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
}
