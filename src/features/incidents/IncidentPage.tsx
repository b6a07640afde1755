/** One incident (spec 3 §2): answered by this device; every write is a command that works offline as well. */
import { IconFlameOff } from '@tabler/icons-react';
import { useEffect, useId, useMemo } from 'react';
import type { IncidentRow } from '../../contract/collections.ts';
import type { LiveRow } from '../../contract/live-query.ts';
import { useLiveRow } from '../../data/use-live-row.ts';
import { useOutbox } from '../../data/use-outbox.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/AppLink.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StateNote } from '../../ui/StateNote.tsx';
import { TabList } from '../../ui/TabList.tsx';
import { ActionPlan } from './ActionPlan.tsx';
import { Comments } from './Comments.tsx';
import { IncidentProvider, useIncident, type Reader } from './incident-context.tsx';
import { IncidentHead } from './IncidentHead.tsx';
import classes from './page.module.css';
import { messages } from './messages.ts';
import { SidePanel } from './SidePanel.tsx';
import { parsePageSearch, writePageSearch, type PageSearch, type PageState } from './url-state.ts';

const words = messages.page;
const TABS = [
  { key: 'comments', text: words.tabs.comments },
  { key: 'plan', text: words.tabs.plan },
] as const;

interface IncidentPageProps {
  incidentId: string;
  search: PageSearch;
  onSearch: (search: PageSearch) => void;
  reader: Reader;
}

/** What was refused of this incident stands in the outbox, not only here. */
function Refused() {
  const { incidentId } = useIncident();
  const outbox = useOutbox();
  const count = (outbox?.items ?? []).filter(
    ({ state, touches }) => state.kind === 'refused' && touches.includes(incidentId),
  ).length;
  if (count === 0) return null;
  return (
    <p className={classes.notice} role="status">
      <strong>{words.refused(count)}.</strong> <AppLink href={links.outbox()}>{words.lookAtRefused}</AppLink>
    </p>
  );
}

function Problem() {
  const { problem, forgetProblem } = useIncident();
  if (problem === null) return null;
  return (
    <p className={classes.notice} role="alert">
      <span>
        <strong>{words.failed}:</strong> {messages.errorText(problem)}
      </span>
      <Button look="quiet" onClick={forgetProblem}>
        {words.dismiss}
      </Button>
    </p>
  );
}

interface FoundProps {
  found: LiveRow<IncidentRow>;
  state: PageState;
  onState: (part: Partial<PageState>) => void;
}

function Found({ found, state, onState }: FoundProps) {
  const panelId = useId();
  const { row } = found;
  useEffect(() => {
    const before = document.title;
    document.title = words.documentTitle(row.title);
    return () => {
      document.title = before;
    };
  }, [row.title]);
  return (
    <>
      <IncidentHead found={found} />
      <Problem />
      <Refused />
      <div className={classes.columns}>
        <div className={classes.main}>
          <TabList
            label={words.tabsLabel}
            tabs={TABS}
            selected={state.tab}
            panelId={panelId}
            onSelect={(tab) => onState({ tab })}
          />
          <div id={panelId} role="tabpanel" aria-label={words.tabs[state.tab]} className={classes.tabPanel}>
            {state.tab === 'comments' ? (
              <Comments />
            ) : (
              <ActionPlan
                hasComments={state.hasComments}
                onComments={(hasComments) => onState({ hasComments })}
              />
            )}
          </div>
        </div>
        <SidePanel row={row} open={state.panel} onOpen={(panel) => onState({ panel })} />
      </div>
    </>
  );
}

export function IncidentPage({ incidentId, search, onSearch, reader }: IncidentPageProps) {
  const found = useLiveRow<IncidentRow>('incidents', incidentId);
  const state = useMemo(() => parsePageSearch({ ...search }), [search]);
  return (
    <IncidentProvider key={incidentId} incidentId={incidentId} reader={reader}>
      <div className={classes.page} tabIndex={0}>
        {found === undefined && <SkeletonRows text={words.loading} />}
        {found === null && (
          <StateNote
            title={words.notFound}
            icon={<IconFlameOff size={32} stroke={1.3} />}
            actions={
              <AppLink href={links.incidents()} className={buttonClass('outline')}>
                {words.back}
              </AppLink>
            }
          >
            <p>{words.notFoundHint}</p>
          </StateNote>
        )}
        {found !== undefined && found !== null && (
          <Found
            found={found}
            state={state}
            onState={(part) => onSearch(writePageSearch({ ...state, ...part }))}
          />
        )}
      </div>
    </IncidentProvider>
  );
}
