import {
  IconApps,
  IconBox,
  IconCloudComputing,
  IconCube,
  IconDatabase,
  IconNetwork,
  IconServer,
  IconStack2,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';

/** The first that the icon's name or the type contains. */
const SHAPES: readonly [part: string, icon: Icon][] = [
  ['pod', IconBox],
  ['node', IconServer],
  ['server', IconServer],
  ['cluster', IconCloudComputing],
  ['kubernetes', IconCloudComputing],
  ['database', IconDatabase],
  ['sql', IconDatabase],
  ['redis', IconDatabase],
  ['website', IconWorld],
  ['http', IconWorld],
  ['network', IconNetwork],
  ['service', IconNetwork],
  ['team', IconUsers],
  ['system', IconStack2],
  ['entity', IconStack2],
  ['application', IconApps],
];

interface ThingIconProps {
  /** The icon's name, as somebody wrote it. */
  icon: string | null;
  type: string | null;
  size?: number;
  /** Where neither says anything that is known here. */
  fallback?: Icon;
}

/** What kind of thing it is. Decorative: its name stands beside it. */
export function ThingIcon({ icon, type, size = 18, fallback: Fallback = IconCube }: ThingIconProps) {
  const lower = `${icon ?? ''} ${type ?? ''}`.toLowerCase();
  const [, Shape] = SHAPES.find(([part]) => lower.includes(part)) ?? ['', Fallback];
  return <Shape size={size} stroke={1.5} aria-hidden />;
}
