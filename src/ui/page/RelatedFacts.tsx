import type { ReactNode } from 'react';
import { shownHealth } from '../../domain/topology/component-health.ts';
import { Age } from '../marks/Age.tsx';
import { HealthLabel } from '../marks/HealthMark.tsx';
import { messages } from '../messages.ts';
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
  const { state, status } = shownHealth(item);
  const facts = [
    { name: words.health, value: <HealthLabel state={state} /> },
    { name: words.status, value: status ?? messages.nothing },
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
