import type { ComponentProperty } from '../../../domain/topology/property.ts';
import { propertyLabel } from '../../../domain/topology/property-rows.ts';
import { shownProperty } from '../../../domain/topology/property-text.ts';
import { PropertyName } from './PropertyName.tsx';
import { PropertyValue } from './PropertyValue.tsx';

interface PropertyListProps {
  properties: readonly ComponentProperty[];
  className: string;
  /** On a card with little room (contract §19.10). */
  isShort?: boolean;
}

/** Properties with their labels; nothing where there are none. */
export function PropertyList({ properties, className, isShort = false }: PropertyListProps) {
  if (properties.length === 0) return null;
  return (
    <dl className={className} data-short={isShort}>
      {properties.map((property, at) => {
        const shown = shownProperty(property, { isShort });
        return (
          shown !== null && (
            <div key={at}>
              <dt title={propertyLabel(property)}>
                <PropertyName label={propertyLabel(property)} tooltip={property.tooltip} />
              </dt>
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
