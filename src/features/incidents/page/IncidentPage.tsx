/** One incident (spec 3 §2): answered by this device; every write is a command that works offline as well. */
import { useEffect, useId, useMemo, useRef } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { LiveRow } from '../../../contract/live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { BottomBar } from './BottomBar.tsx';
import { ComponentChips } from './ComponentChips.tsx';
import { IncidentProvider, useIncident, type Reader } from '../incident-context.tsx';
import { IncidentHead, PhoneHead } from './IncidentHead.tsx';
import classes from '../page.module.css';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';
import { Refusals } from './Refusals.tsx';
import { sectionOf } from './Sections.tsx';
import { SidePanel } from './SidePanel.tsx';
import look from './side.module.css';
import {
  besideEachOther,
  oneAtATime,
  pageLink,
  pageState,
  type PageState,
  type Section,
} from '../url-state.ts';
import { pageSearch, SECTIONS } from '../search-schemas.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useStatusChange } from './use-status-change.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useMarkRead } from '../use-mark-read.ts';

const words = messages;
const TABS = [
  { key: 'comments', text: words.tabs.comments },
  { key: 'plan', text: words.tabs.plan },
] as const;
const PHONE_TABS = SECTIONS.map((key) => ({ key, text: words.sections[key] }));

interface IncidentPageProps {
  incidentId: string;
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
        <strong>{words.failed}:</strong> {shared.errorText(problem)}
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

function WidePage({ found, state, onState }: FoundProps) {
  const panelId = useId();
  const { choose, dialog } = useStatusChange(found.row);
  const { tab, panel } = besideEachOther(state);
  const parts = { row: found.row, state, onState };
  useMarkRead(found.row.id, tab === 'comments');
  return (
    <>
      <IncidentHead found={found} onStatus={choose} />
      <Problem />
      <Refused />
      <div className={classes.columns}>
        <div className={classes.main}>
          <TabList
            label={words.tabsLabel}
            tabs={TABS}
            selected={tab}
            panelId={panelId}
            onSelect={(next) => onState({ tab: next, panel })}
          />
          <div id={panelId} role="tabpanel" aria-label={words.tabs[tab]} className={classes.tabPanel}>
            {sectionOf(tab, parts)}
          </div>
        </div>
        <SidePanel
          open={panel}
          onOpen={(next) => onState({ tab, panel: next })}
          content={(section) => sectionOf(section, parts)}
        />
      </div>
      {dialog}
    </>
  );
}

/** One section at a time, and what is done most under the thumb. */
function PhonePage({ found, state, onState }: FoundProps) {
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const isWriting = useRef(false);
  const { choose, dialog } = useStatusChange(found.row);
  const section = oneAtATime(state);
  useMarkRead(found.row.id, section === 'comments');
  const show = (next: Section) => onState({ tab: next, panel: 'details' });
  useEffect(() => {
    if (!isWriting.current || section !== 'comments') return;
    isWriting.current = false;
    panel.current?.querySelector('textarea')?.focus();
  });
  return (
    <>
      <PhoneHead
        found={found}
        tabs={
          <TabList
            label={words.tabsLabel}
            tabs={PHONE_TABS}
            selected={section}
            panelId={panelId}
            onSelect={show}
          />
        }
      />
      <Problem />
      <Refused />
      <div
        ref={panel}
        id={panelId}
        role="tabpanel"
        aria-label={words.sections[section]}
        className={look.phonePanel}
      >
        {section === 'details' && <ComponentChips />}
        {sectionOf(section, { row: found.row, state, onState })}
      </div>
      <BottomBar
        row={found.row}
        onStatus={choose}
        onComment={() => {
          isWriting.current = true;
          show('comments');
        }}
      />
      {dialog}
    </>
  );
}

function Found(props: FoundProps) {
  const isPhone = useMedia(PHONE);
  useDocumentTitle(props.found.row.title);
  return isPhone ? <PhonePage {...props} /> : <WidePage {...props} />;
}

/** One that isn't on this device is asked for from the server. */
export function IncidentPage({ incidentId, reader }: IncidentPageProps) {
  const [search, change] = useSearchState(pageSearch);
  const found = useLiveRow('incidents', incidentId);
  const state = useMemo(() => pageState(search), [search]);
  return (
    <IncidentProvider key={incidentId} incidentId={incidentId} reader={reader}>
      {/* Also of an incident that is gone with what was refused. */}
      <Refusals />
      <div className={`${classes.page} ${look.column}`} tabIndex={0}>
        {found === undefined && <SkeletonRows text={words.loading} />}
        {found === null && (
          <>
            <Refused />
            <NotHere key={incidentId} incidentId={incidentId} />
          </>
        )}
        {found !== undefined && found !== null && (
          <Found
            found={found}
            state={state}
            onState={(part) => change(pageLink({ ...state, ...part }), { isReplacing: false })}
          />
        )}
      </div>
    </IncidentProvider>
  );
}
