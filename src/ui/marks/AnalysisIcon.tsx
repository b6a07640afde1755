import {
  IconActivity,
  IconBulb,
  IconCoin,
  IconGauge,
  IconLock,
  IconPlugConnected,
  IconRecycle,
  IconScale,
  IconShieldCheck,
  IconTool,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

const ICONS: Readonly<
  Record<string, ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: true }>>
> = {
  availability: IconActivity,
  compliance: IconScale,
  cost: IconCoin,
  integration: IconPlugConnected,
  performance: IconGauge,
  recommendation: IconBulb,
  reliability: IconShieldCheck,
  security: IconLock,
  technical_debt: IconRecycle,
};

/** What kind of insight it is. Decorative: the kind's word stands beside it. */
export function AnalysisIcon({ type, size = 15 }: { type: string; size?: number }) {
  const Shape = ICONS[type.toLowerCase()] ?? IconTool;
  return <Shape size={size} stroke={1.6} aria-hidden />;
}
