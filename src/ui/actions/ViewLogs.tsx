/** The door from any screen to the logs of a component (spec 2 §2): shown to those who may open them. */
import { IconLogs } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import { links } from '../../domain/links.ts';
import { AppLink } from './AppLink.tsx';
import { buttonClass } from './Button.tsx';
import { messages } from '../messages.ts';

const LogsContext = createContext(false);

/** Given by the shell: whether this user may open logs, and they are switched on. */
export const LogsDoor = LogsContext.Provider;

/** Whether links to logs are shown. */
export function useHasLogs(): boolean {
  return useContext(LogsContext);
}

/** More components of one thing are found through their topology. */
const MOST = 3;

/** Links to the logs of some components; each is named where there are several. */
export function ViewLogsOf({ components }: { components: readonly { id: string; name: string }[] }) {
  return components
    .slice(0, MOST)
    .map(({ id, name }) => (
      <ViewLogs key={id} componentId={id} {...(components.length > 1 ? { name } : {})} />
    ));
}

/** A link to a component's logs; nothing where they can't be opened. `name`: of which component, where that isn't said. */
export function ViewLogs({ componentId, name }: { componentId: string; name?: string }) {
  if (!useHasLogs()) return null;
  return (
    <AppLink href={links.logs(componentId)} className={buttonClass('outline')}>
      <IconLogs size={15} aria-hidden />
      {name === undefined ? messages.viewLogs : messages.viewLogsOf(name)}
    </AppLink>
  );
}
