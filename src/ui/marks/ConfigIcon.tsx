import {
  IconBox,
  IconBoxMultiple,
  IconBrandAzure,
  IconBrandAws,
  IconBrandGithub,
  IconCloudComputing,
  IconCube,
  IconDatabase,
  IconFileText,
  IconFolder,
  IconKey,
  IconNetwork,
  IconRocket,
  IconServer,
  IconShield,
  IconUser,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';

/** The first that the type contains; kinds before the provider. */
const SHAPES: readonly [part: string, icon: Icon][] = [
  ['pod', IconBox],
  ['replicaset', IconBoxMultiple],
  ['deployment', IconRocket],
  ['statefulset', IconBoxMultiple],
  ['daemonset', IconBoxMultiple],
  ['namespace', IconFolder],
  ['secret', IconKey],
  ['role', IconShield],
  ['user', IconUser],
  ['configmap', IconFileText],
  ['file', IconFileText],
  ['service', IconNetwork],
  ['ingress', IconNetwork],
  ['subnet', IconNetwork],
  ['vpc', IconNetwork],
  ['database', IconDatabase],
  ['rds', IconDatabase],
  ['sql', IconDatabase],
  ['node', IconServer],
  ['instance', IconServer],
  ['cluster', IconCloudComputing],
  ['github', IconBrandGithub],
  ['azure', IconBrandAzure],
  ['aws', IconBrandAws],
];

/** What kind of item it is. Decorative: the type's name stands beside it. */
export function ConfigIcon({ type, size = 18 }: { type: string; size?: number }) {
  const lower = type.toLowerCase();
  const [, Shape] = SHAPES.find(([part]) => lower.includes(part)) ?? ['', IconCube];
  return <Shape size={size} stroke={1.5} aria-hidden />;
}
