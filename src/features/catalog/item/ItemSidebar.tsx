/** All facts of an item (spec 2 §2): a sidebar, or a sheet where there is no room for one. */
import type { ReactNode } from 'react';
import { useIncidentsAbout } from '../../../data/queries/incidents/use-incidents-about.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { IncidentLinks } from '../../../ui/page/IncidentLinks.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { useItem } from './item-context.tsx';
import { ancestorIds, formatCost, propertyText, safeAddress, type ItemFacts } from './item-facts.ts';
import classes from './item.module.css';
import { LinkedComponents } from './LinkedComponents.tsx';
import { messages } from './messages.ts';
import { Section } from './Section.tsx';

const words = messages.details;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Texts({ name, value }: { name: string; value: string | null }) {
  return value === null || value === '' ? null : <Fact name={name}>{value}</Fact>;
}

function Time({ name, at }: { name: string; at: string | null }) {
  return at === null ? null : (
    <Fact name={name}>
      <Age at={at} suffix={words.ago} />
    </Fact>
  );
}

/** Ancestors from the root to the parent, by name where this device knows it. */
function Ancestors({ facts }: { facts: ItemFacts }) {
  const ids = ancestorIds(facts);
  const { rows, isLoaded } = useLiveQuery({
    collection: 'configs',
    where: [{ field: 'id', op: 'in', values: ids }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: 100 },
  });
  if (ids.length === 0) return null;
  const names = new Map(rows.map(({ id, row }) => [id, row.name ?? id]));
  return (
    <Fact name={words.parent}>
      <ol className={classes.ancestors}>
        {ids.map((id) => (
          <li key={id}>
            <AppLink href={links.config(id)}>{names.get(id) ?? (isLoaded ? id : ui.loading)}</AppLink>
          </li>
        ))}
      </ol>
    </Fact>
  );
}

function Source({ facts }: { facts: ItemFacts }) {
  const known = useLiveRow('resources', facts.scraper?.id ?? '');
  const agent = useLiveRow('resources', facts.agent?.id ?? '');
  return (
    <>
      {facts.scraper !== null && (
        <Fact name={words.scraper}>
          <AppLink href={links.scraper(facts.scraper.id)}>
            {facts.scraper.name ?? known?.row.name ?? facts.scraper.id}
          </AppLink>
        </Fact>
      )}
      {facts.agent !== null && (
        <Fact name={words.agent}>
          <AppLink href={links.agent(facts.agent.id)}>
            {facts.agent.name ?? agent?.row.name ?? facts.agent.id}
          </AppLink>
        </Fact>
      )}
    </>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return null;
  return (
    <Section title={title}>
      <div className={classes.pairs}>
        {entries.map(([name, value]) => (
          <Tag key={name} name={name} value={String(value)} />
        ))}
      </div>
    </Section>
  );
}

function Costs({ facts }: { facts: ItemFacts }) {
  const costs = [
    [words.cost.minute, facts.cost_per_minute],
    [words.cost.day, facts.cost_total_1d],
    [words.cost.week, facts.cost_total_7d],
    [words.cost.month, facts.cost_total_30d],
  ] as const;
  const known = costs.filter(([, amount]) => amount !== null && amount !== 0);
  if (known.length === 0) return null;
  return (
    <Section title={words.costs}>
      <dl className={classes.facts}>
        {known.map(([name, amount]) => (
          <Fact key={name} name={name}>
            <span className={classes.number}>{formatCost(amount ?? 0)}</span>
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Properties({ facts }: { facts: ItemFacts }) {
  const shown = facts.properties.filter((property) => propertyText(property) !== null);
  if (shown.length === 0) return null;
  return (
    <Section title={words.properties}>
      <dl className={classes.facts}>
        {shown.map((property, at) => {
          const text = propertyText(property) ?? ui.nothing;
          const address = safeAddress(property.links?.[0]?.url ?? null);
          return (
            <Fact key={`${property.name ?? ''} ${at}`} name={property.label ?? property.name ?? ''}>
              {address === null ? (
                text
              ) : (
                <a href={address} target="_blank" rel="noreferrer">
                  {text}
                </a>
              )}
            </Fact>
          );
        })}
      </dl>
    </Section>
  );
}

/** Incidents that have this item for evidence. */
function Incidents({ configId }: { configId: string }) {
  return <IncidentLinks incidents={useIncidentsAbout('config_id', configId)} />;
}

function Health({ facts }: { facts: ItemFacts }) {
  const isDeleted = facts.deleted_at !== null;
  if (facts.health === null && facts.status === null) return null;
  return (
    <>
      {facts.health !== null && (
        <Fact name={isDeleted ? words.lastStatus : words.health}>
          <HealthLabel state={healthOfWord(facts.health)} text={facts.health} />
        </Fact>
      )}
      {facts.status !== facts.health && (
        <Texts
          name={isDeleted && facts.health === null ? words.lastStatus : words.status}
          value={facts.status}
        />
      )}
    </>
  );
}

/** Inside an `ItemPage`. */
export function ItemSidebar() {
  const { facts, detail } = useItem();
  const isReachable = useReachable();
  return (
    <div className={classes.details}>
      <dl className={classes.facts}>
        <Texts name={words.name} value={facts.name} />
        <Texts name={words.type} value={facts.type} />
        {facts.configClass !== facts.type && <Texts name={words.class} value={facts.configClass} />}
        <Health facts={facts} />
        <Texts name={words.description} value={facts.description} />
        <Ancestors facts={facts} />
        <Source facts={facts} />
        <Texts name={words.source} value={facts.source} />
        <Time name={words.created} at={facts.created_at} />
        <Time name={words.updated} at={facts.updated_at} />
        <Time name={words.deleted} at={facts.deleted_at} />
        {facts.deleted_at !== null && <Texts name={words.reason} value={facts.delete_reason} />}
        <Time name={words.scraped} at={facts.lastScrapedAt} />
        {facts.externalIds.length > 0 && (
          <Fact name={words.externalIds}>
            <ul className={classes.ids}>
              {facts.externalIds.map((id) => (
                <li key={id}>{id}</li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
      <Costs facts={facts} />
      <Properties facts={facts} />
      <Pairs title={words.tags} pairs={facts.tags} />
      <Pairs title={words.labels} pairs={facts.labels} />
      <LinkedComponents configId={facts.id} />
      <Incidents configId={facts.id} />
      {detail.kept === null && !isReachable && <p className={classes.note}>{words.onServer}</p>}
      {detail.kept !== null && <CacheNote {...detail.kept} />}
    </div>
  );
}
