import type { ReactNode } from 'react';
import { healthOfWord } from '../domain/check/health.ts';
import { Age } from './Age.tsx';
import { HealthLabel } from './HealthMark.tsx';
import { messages } from './messages.ts';
import { Facts, Page } from './Page.tsx';

interface RelatedFactsProps {
  item: {
    name: string;
    type: string | null;
    health: string | null;
    status: string | null;
    description: string | null;
    updatedAt: string | null;
  };
  kind: string;
  /** How old the facts are. */
  note: ReactNode;
  children?: ReactNode;
}

/** What is known here of a thing that a check is linked to. */
export function RelatedFacts({ item, kind, note, children }: RelatedFactsProps) {
  const words = messages.related;
  const facts = [
    {
      name: words.health,
      value: <HealthLabel state={healthOfWord(item.health)} text={item.health ?? messages.health.unknown} />,
    },
    { name: words.status, value: item.status ?? messages.nothing },
    { name: words.type, value: item.type ?? messages.nothing },
    { name: words.description, value: item.description ?? messages.nothing },
    { name: words.updated, value: <Age at={item.updatedAt} suffix={words.ago} /> },
  ];
  return (
    <Page title={item.name} lead={kind}>
      {note}
      <Facts facts={facts} />
      {children}
    </Page>
  );
}
