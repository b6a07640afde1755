/** One component as a card: how it is, what it measures, what it is made of. Rendered anew only when its row changed. */
import { IconEyeOff, IconLogs } from '@tabler/icons-react';
import { memo } from 'react';
import type { ComponentLine, TopologyCard } from '../../../contract/topology-view.ts';
import type { ComponentProperty } from '../../../domain/topology/property.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useHasLogs } from '../../../ui/actions/ViewLogs.tsx';
import { useElementKeys } from '../../../ui/hooks/element-keys.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { HealthBar } from '../../../ui/marks/HealthBar.tsx';
import { HealthLabel, HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import type { CardSize } from '../card-size.ts';
import { messages } from '../messages.ts';
import classes from './card.module.css';
import { checkCounts } from './check-counts.ts';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { CardMenu } from '../actions/CardMenu.tsx';
import { FindingLinks } from './FindingLinks.tsx';
import { Metrics } from './Metrics.tsx';
import { PropertyList } from './PropertyList.tsx';

const words = messages.card;
const MAX_FINDINGS = 5;
/** How much of each part has room on a card of a size. */
const ROOM: Readonly<Record<CardSize, { metrics: number; properties: number; parts: number }>> = {
  small: { metrics: 2, properties: 2, parts: 3 },
  medium: { metrics: 3, properties: 3, parts: 4 },
  large: { metrics: 4, properties: 4, parts: 5 },
  extra_large: { metrics: 6, properties: 8, parts: 6 },
};
/** On small cards what is measured stands at the foot (contract §19.10). */
const isSmall = (size: CardSize) => size === 'small' || size === 'medium';

interface PropertiesProps {
  properties: readonly ComponentProperty[];
  /** How many have no room here, and where they are. */
  more: number;
  moreHref: string;
}

function Properties({ properties, more, moreHref }: PropertiesProps) {
  if (properties.length === 0) return null;
  return (
    <>
      <PropertyList properties={properties} className={classes.properties ?? ''} />
      {more > 0 && (
        <p className={classes.more}>
          <AppLink href={moreHref}>{words.moreProperties(more)}</AppLink>
        </p>
      )}
    </>
  );
}

const Part = memo(function Part({ line, href }: { line: ComponentLine; href: string }) {
  const { name } = line;
  const text = `${name} ${messages.health[line.state]}`;
  return (
    <li>
      <AppLink href={href} className={classes.part} title={name} aria-label={text}>
        <HealthMark state={line.state} size={11} />
        {name}
      </AppLink>
    </li>
  );
});

function Parts({ card, room, hrefOf }: { card: TopologyCard; room: number; hrefOf: (id: string) => string }) {
  const { children, childCount, parts, id, name } = card;
  const shown = children.slice(0, room);
  const keys = useElementKeys(
    id,
    shown.map((line) => line.id),
  );
  if (childCount === 0) return null;
  return (
    <div className={classes.parts}>
      <div className={classes.partsHead}>
        <span>{words.parts(childCount)}</span>
        <HealthBar counts={parts} words={messages.health} />
      </div>
      <ul>
        {shown.map((line, at) => (
          <Part key={keys[at]} line={line} href={hrefOf(line.id)} />
        ))}
        {childCount > shown.length && (
          <li>
            <AppLink
              href={hrefOf(id)}
              className={`${classes.part} ${classes.rest}`}
              aria-label={words.moreOf(childCount - shown.length, name)}
            >
              {words.more(childCount - shown.length)}
            </AppLink>
          </li>
        )}
      </ul>
    </div>
  );
}

function Head({ card, href }: { card: TopologyCard; href: string }) {
  const facts = [card.text, card.type, card.namespace, card.status].filter(
    (fact) => fact !== null && fact !== '',
  );
  return (
    <header className={classes.head}>
      <span className={classes.icon}>
        <ThingIcon icon={card.icon} type={card.type} />
      </span>
      <span className={classes.titles}>
        <AppLink href={href} className={classes.title} data-row-link="" title={card.name}>
          {card.name}
        </AppLink>
        <span className={classes.facts} title={facts.join(' · ')}>
          {facts.join(' · ')}
        </span>
      </span>
      <SilencedMark kind="component" id={card.id} />
      {card.isHidden && (
        <span role="img" aria-label={words.hidden} title={words.hidden} className={classes.hidden}>
          <IconEyeOff size={15} aria-hidden />
        </span>
      )}
      <span className={classes.health}>
        <HealthLabel state={card.state} text={messages.health[card.state]} />
      </span>
      <CardMenu card={card} />
    </header>
  );
}

function Foot({ card, href }: { card: TopologyCard; href: string }) {
  const hasLogs = useHasLogs() && card.hasLogs;
  const checks = checkCounts(card.summary.checks);
  return (
    <footer className={classes.foot}>
      {checks !== null && (
        <span className={classes.checks}>
          <AppLink href={links.health()} className={classes.checksLink} title={words.toHealth}>
            {words.checks}
          </AppLink>
          <HealthBar counts={checks} hasBar={false} words={messages.checkHealth} />
        </span>
      )}
      {hasLogs && (
        <AppLink
          href={links.logs(card.id)}
          className={classes.logsLink}
          title={words.logs(card.name)}
          aria-label={words.logs(card.name)}
        >
          <IconLogs size={15} stroke={1.6} aria-hidden />
          {words.logsShort}
        </AppLink>
      )}
      <FindingLinks componentId={card.id} summary={card.summary} limit={MAX_FINDINGS} moreHref={href} />
      <span className={classes.age}>
        <Age at={card.updatedAt} suffix={words.ago} />
      </span>
    </footer>
  );
}

interface CardProps {
  card: TopologyCard;
  size: CardSize;
  /** Kept the same for as long as it says the same. */
  hrefOf: (id: string) => string;
}

/** See the head of this file. */
export const ComponentCard = memo(function ComponentCard({ card, size, hrefOf }: CardProps) {
  const room = ROOM[size];
  const headlines = card.properties.filter((one) => one.isHeadline).slice(0, room.metrics);
  const all = card.properties.filter((one) => !one.isHeadline);
  const properties = all.slice(0, room.properties);
  const metrics = <Metrics properties={headlines} isShort={isSmall(size)} />;
  return (
    <article
      className={classes.card}
      data-row-kind="card"
      data-health={card.state}
      data-size={size}
      data-hidden={card.isHidden}
      aria-label={card.name}
    >
      <Head card={card} href={hrefOf(card.id)} />
      {card.reason !== null && card.reason !== '' && (
        <p className={classes.reason} title={card.reason}>
          {card.reason}
        </p>
      )}
      {!isSmall(size) && metrics}
      <Properties
        properties={properties}
        more={card.moreProperties + all.length - properties.length}
        moreHref={hrefOf(card.id)}
      />
      <Parts card={card} room={room.parts} hrefOf={hrefOf} />
      {isSmall(size) && metrics}
      <Foot card={card} href={hrefOf(card.id)} />
    </article>
  );
});
