/** Details of a component: its facts, properties, labels and what is under it (spec 2 §2: what folds, and when). */
import { Fragment, type ReactNode } from 'react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { monthCost } from '../../../domain/topology/month-cost.ts';
import { links } from '../../../domain/links.ts';
import { costText } from '../../../domain/catalog/numbers.ts';
import { propertyRows, type PropertyRow } from '../../../domain/topology/property-rows.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { HealthBar } from '../../../ui/marks/HealthBar.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { checkCounts } from '../cards/check-counts.ts';
import { FindingLinks } from '../cards/FindingLinks.tsx';
import { PropertyName } from '../cards/PropertyName.tsx';
import { PropertyValue } from '../cards/PropertyValue.tsx';
import { messages as topology } from '../messages.ts';
import { useTopologyState } from '../use-topology-state.ts';
import classes from './component.module.css';
import { FoldedList } from './FoldedList.tsx';
import { messages } from './messages.ts';

const words = messages.facts;
const SUMMARY_ITEMS = 10;
const SUMMARY_ITEMS_WITH_PROPERTIES = 5;
const PROPERTY_ITEMS = 6;
const ALL_FINDINGS = 100;
/** The agent of this server itself has the all-zero id. */
const LOCAL_AGENT = /^[0-]*$/;

interface FactItem {
  name: string;
  value: ReactNode;
  /** What is said of it besides. */
  tooltip?: string | null;
}

function Facts({ items }: { items: readonly FactItem[] }) {
  return (
    <dl className={classes.facts}>
      {items.map(({ name, value, tooltip = null }, at) => (
        <div key={`${name} ${at}`} className={classes.fact}>
          <dt>
            <PropertyName label={name} tooltip={tooltip} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Named({ collection, id, href }: { collection: 'resources' | 'configs'; id: string; href: string }) {
  const known = useLiveRow(collection, id);
  return <AppLink href={href}>{known?.row.name ?? id}</AppLink>;
}

function texts(facts: ComponentFacts): FactItem[] {
  const found = [
    [words.text, facts.text],
    [words.type, facts.type],
    [words.namespace, facts.namespace],
    [words.status, facts.status],
    [words.reason, facts.reason],
    [words.owner, facts.owner],
    [words.lifecycle, facts.lifecycle],
    [words.description, facts.description],
    [words.tooltip, facts.tooltip],
    [words.externalId, facts.externalId === facts.name ? null : facts.externalId],
    [words.hidden, facts.isHidden ? words.yes : null],
    [words.logs, facts.logs.join(', ')],
  ] as const;
  return found.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));
}

function references(
  { agentId, topologyId, configId, alsoUnder }: ComponentFacts,
  hrefOf: (id: string) => string,
): FactItem[] {
  const items: FactItem[] = [];
  if (configId !== null)
    items.push({
      name: words.item,
      value: <Named collection="configs" id={configId} href={links.config(configId)} />,
    });
  if (topologyId !== null)
    items.push({
      name: words.topology,
      value: <Named collection="resources" id={topologyId} href={links.resource('topologies', topologyId)} />,
    });
  if (agentId !== null && !LOCAL_AGENT.test(agentId))
    items.push({
      name: words.agent,
      value: <Named collection="resources" id={agentId} href={links.agent(agentId)} />,
    });
  if (alsoUnder.length > 0)
    items.push({
      name: words.alsoUnder,
      value: alsoUnder.map(({ id, name }) => (
        <span key={id}>
          <AppLink href={hrefOf(id)}>{name}</AppLink>
        </span>
      )),
    });
  return items;
}

function times({ createdAt, updatedAt }: ComponentFacts): FactItem[] {
  const found = [
    [words.created, createdAt],
    [words.updated, updatedAt],
  ] as const;
  return found.flatMap(([name, at]) =>
    at === null ? [] : [{ name, value: <Age at={at} suffix={words.ago} /> }],
  );
}

/** The month's cost; beside it how much the last day differs (contract §19.10). */
function costs({ costs: spans }: ComponentFacts): FactItem[] {
  const cost = monthCost(spans);
  if (cost === null) return [];
  const { month, percent } = cost;
  const value = (
    <>
      {costText(month)}
      {percent !== null && (
        <span className={classes.dim} title={words.trendTitle(percent)}>
          {words.trend(percent)}
        </span>
      )}
    </>
  );
  return [{ name: words.cost, value }];
}

function counts(facts: ComponentFacts): FactItem[] {
  const { summary, childCount, parts } = facts;
  const checks = checkCounts(summary.checks);
  return [
    ...(childCount === 0
      ? []
      : [
          {
            name: messages.parts(childCount),
            value: <HealthBar counts={parts} hasBar={false} words={topology.health} />,
          },
        ]),
    ...(checks === null
      ? []
      : [
          {
            name: topology.card.checks,
            value: <HealthBar counts={checks} hasBar={false} words={topology.checkHealth} />,
          },
        ]),
  ];
}

/** Rows under their groups, in their order. */
function byGroup(rows: readonly PropertyRow[]): { group: string | null; rows: PropertyRow[] }[] {
  const groups: { group: string | null; rows: PropertyRow[] }[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.group === row.group) last.rows.push(row);
    else groups.push({ group: row.group, rows: [row] });
  }
  return groups;
}

function propertyItem(row: PropertyRow): FactItem {
  const value = row.values.map(({ shown, color }, place) => (
    <span key={place}>
      <PropertyValue shown={shown} color={color} />
    </span>
  ));
  const { label: name, icon, tooltip } = row;
  if (icon === null) return { name, value, tooltip };
  const withIcon = (
    <span>
      <ThingIcon icon={icon} type={null} size={14} /> {value}
    </span>
  );
  return { name, value: withIcon, tooltip };
}

function Properties({ rows }: { rows: readonly PropertyRow[] }) {
  return (
    <FoldedList items={rows} limit={PROPERTY_ITEMS}>
      {(shown) =>
        byGroup(shown).map(({ group, rows: own }) => (
          <Fragment key={group}>
            {group !== null && <h4 className={classes.heading}>{group}</h4>}
            <Facts items={own.map(propertyItem)} />
          </Fragment>
        ))
      }
    </FoldedList>
  );
}

/** See the head of this file. */
export function DetailsPanel({ component }: { component: ComponentFacts }) {
  const { hrefOf } = useTopologyState(component.id);
  // Headlines are on the card, in large.
  const rows = propertyRows(component.properties.filter((property) => !property.isHeadline));
  const items = [
    {
      name: topology.filters.status,
      value: <HealthLabel state={component.state} text={topology.health[component.state]} />,
    },
    ...texts(component).filter(({ name }) => name !== words.status),
    ...counts(component),
    ...references(component, hrefOf),
    ...costs(component),
    ...times(component),
  ];
  const labels = Object.entries(component.labels);
  return (
    <>
      <FoldedList items={items} limit={rows.length > 0 ? SUMMARY_ITEMS_WITH_PROPERTIES : SUMMARY_ITEMS}>
        {(shown) => <Facts items={shown} />}
      </FoldedList>
      <FindingLinks
        componentId={component.id}
        summary={component.summary}
        limit={ALL_FINDINGS}
        moreHref={links.componentInsights(component.id)}
      />
      {rows.length > 0 && (
        <>
          <h3 className={classes.heading}>{messages.properties}</h3>
          <Properties rows={rows} />
        </>
      )}
      {labels.length > 0 && (
        <>
          <h3 className={classes.heading}>{messages.labels}</h3>
          <div className={classes.tags}>
            {labels.map(([name, value]) => (
              <Tag key={name} name={name} value={value} />
            ))}
          </div>
        </>
      )}
    </>
  );
}
