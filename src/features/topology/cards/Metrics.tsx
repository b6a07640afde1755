import type { ComponentProperty } from '../../../domain/topology/property.ts';
import classes from './metrics.module.css';
import { PropertyList } from './PropertyList.tsx';

interface MetricsProps {
  properties: readonly ComponentProperty[];
  /** At the foot of a card with little room (contract §19.10). */
  isShort: boolean;
}

/** Headline properties, in large. */
export function Metrics({ properties, isShort }: MetricsProps) {
  return <PropertyList properties={properties} className={classes.metrics ?? ''} isShort={isShort} />;
}
