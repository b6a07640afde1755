import type { ComponentFacts, ComponentLine } from '../../../contract/topology-view.ts';
import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { messages } from '../messages.ts';
import { useTopologyState } from '../use-topology-state.ts';
import classes from './component.module.css';
import { messages as words } from './messages.ts';

/** The way on which one came: through the component that led here, where that isn't the one it stands under. */
function stepsOf(component: ComponentFacts, referer: ComponentFacts | null): readonly ComponentLine[] {
  const isAbove = component.ancestors.some(({ id }) => id === referer?.id);
  if (referer === null || isAbove || referer.id === component.id) return component.ancestors;
  const isUnderReferer = component.alsoUnder.some(({ id }) => id === referer.id);
  return isUnderReferer ? [...referer.ancestors, referer] : component.ancestors;
}

/** Topology › what is above › the component. */
export function ComponentPath({
  component,
  refererId,
}: {
  component: ComponentFacts;
  refererId: string | null;
}) {
  const { component: referer } = useComponent(refererId ?? '');
  const { hrefOf } = useTopologyState(null);
  return (
    <nav aria-label={words.path} className={classes.pathLine}>
      <ol className={classes.path}>
        <li>
          <AppLink href={links.topology()}>{messages.title}</AppLink>
        </li>
        {stepsOf(component, referer).map(({ id, name }) => (
          <li key={id}>
            <AppLink href={hrefOf(id)}>{name}</AppLink>
          </li>
        ))}
        <li className={classes.nameStep}>
          <h1>{component.name}</h1>
          <SilencedMark kind="component" id={component.id} />
        </li>
      </ol>
    </nav>
  );
}
