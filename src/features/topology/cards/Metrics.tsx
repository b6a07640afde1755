import type { ComponentProperty } from '../../../domain/topology/property.ts';
import { propertyLabel } from '../../../domain/topology/property-rows.ts';
import { shownProperty } from '../../../domain/topology/property-text.ts';
import classes from './metrics.module.css';
import { PropertyValue } from './PropertyValue.tsx';

interface MetricsProps {
  properties: readonly ComponentProperty[];
  /** At the foot of a card with little room (contract §19.10). */
  isShort: boolean;
}

/** Headline properties, in large. */
export function Metrics({ properties, isShort }: MetricsProps) {
  if (properties.length === 0) return null;
  return (
    <dl className={classes.metrics} data-short={isShort}>
      {properties.map((property, at) => {
        const shown = shownProperty(property, { isShort });
        return (
          shown !== null && (
            <div key={at}>
              <dt title={propertyLabel(property)}>{propertyLabel(property)}</dt>
              <dd>
                <PropertyValue shown={shown} color={property.color} />
              </dd>
            </div>
          )
        );
      })}
    </dl>
  );
}
