/** One integration, as one of its list: what it says, and what its jobs did (spec 2 §2 'Integrations'). */
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { links } from '../../../domain/links.ts';
import { ResourcePage } from '../resources/ResourcePage.tsx';
import { messages } from './messages.ts';

interface IntegrationPageProps {
  kind: ResourceKind;
  id: string;
  reader: { id: string; roles: readonly string[] };
}

const LIST = { path: links.integrations(), title: messages.title, isNextAfterSave: true } as const;

/** Saved or deleted, it leads back to the list. */
export function IntegrationPage(props: IntegrationPageProps) {
  return <ResourcePage {...props} list={LIST} />;
}
