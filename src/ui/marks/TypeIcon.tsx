import {
  IconActivity,
  IconAddressBook,
  IconBell,
  IconBox,
  IconCertificate,
  IconDatabase,
  IconFolder,
  IconHeartbeat,
  IconMail,
  IconPlugConnected,
  IconRadar,
  IconTerminal2,
  IconWorld,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { lookupTable } from '../../lib/lookup-table.ts';

const ICONS = lookupTable<Icon>({
  http: IconWorld,
  tcp: IconPlugConnected,
  dns: IconAddressBook,
  icmp: IconRadar,
  exec: IconTerminal2,
  folder: IconFolder,
  postgres: IconDatabase,
  mysql: IconDatabase,
  mssql: IconDatabase,
  redis: IconDatabase,
  mongodb: IconDatabase,
  ldap: IconAddressBook,
  smtp: IconMail,
  imap: IconMail,
  ssh: IconTerminal2,
  certificate: IconCertificate,
  s3: IconFolder,
  opensearch: IconDatabase,
  cloudwatch: IconBell,
  elasticsearch: IconDatabase,
  alertmanager: IconBell,
  prometheus: IconActivity,
  kubernetes: IconBox,
  kubernetes_resource: IconBox,
  pod: IconBox,
  namespace: IconBox,
  junit: IconBox,
  webhook: IconPlugConnected,
  databasebackupcheck: IconDatabase,
  restic: IconFolder,
  pubsub: IconMail,
});

const drawn = new Map<string, React.ReactNode>();

/** What kind of check it is. Decorative: the kind's word is in the title. The same icon is the same element: a list that
 * shows other rows leaves those alone that stay. */
export function TypeIcon({ type, size = 15 }: { type: string; size?: number }) {
  const Shape = ICONS[type.toLowerCase()] ?? IconHeartbeat;
  const name = `${Shape.displayName} ${size}`;
  const icon = drawn.get(name) ?? <Shape size={size} stroke={1.6} aria-hidden />;
  drawn.set(name, icon);
  return icon;
}
