import {
  IconApi,
  IconBrandAws,
  IconBrandRedhat,
  IconClipboardList,
  IconMail,
  IconTicket,
  IconUser,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { messages } from './messages.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const ICONS = lookupTable<Icon>({
  email: IconMail,
  aws_support: IconBrandAws,
  aws_ams_services_request: IconBrandAws,
  redhat: IconBrandRedhat,
  ms_planner: IconClipboardList,
  webhook: IconApi,
  person: IconUser,
});

/** A type in words; one that this version doesn't know stays as it is. */
export function typeWord(type: string): string {
  return Object.hasOwn(messages.types, type) ? (messages.types[type] ?? type) : type;
}

/** Which system a responder is called through. Decorative: the word stands beside it. */
export function ResponderTypeIcon({ type, size = 16 }: { type: string; size?: number }) {
  const Shape = ICONS[type] ?? IconTicket;
  return <Shape size={size} stroke={1.6} aria-hidden />;
}
