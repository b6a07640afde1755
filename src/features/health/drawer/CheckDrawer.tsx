/**
 * One check in full (spec 1 §2 'Check detail drawer'). Everything in it answers from the device first. Its time
 * range starts from the age of the check's last run and is forgotten when it closes.
 */
import { Suspense, useId, useState } from 'react';
import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import type { GraphView } from '../../../contract/queries/check-queries.ts';
import type { CheckView } from '../../../contract/worker.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import type { TimeRange } from '../../../domain/time/ranges.ts';
import { rangeForAge } from '../../../domain/time/ranges.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { BesidePane } from '../../../ui/page/BesidePane.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import { BESIDE, useMedia } from '../../../ui/hooks/use-media.ts';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import classes from './drawer.module.css';
import { DrawerFooter } from './DrawerFooter.tsx';
import { DrawerHeader } from './DrawerHeader.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { messages } from './messages.ts';
import { OverviewChart } from './OverviewChart.tsx';
import { RelationsTab } from './RelationsTab.tsx';
import { RunFiles } from './RunFiles.tsx';
import { RunStrip } from './RunStrip.tsx';
import { StatTiles } from './StatTiles.tsx';

const SpecTab = lazyPart(async () => (await import('./SpecTab.tsx')).SpecTab);

/** On screens this short the chart is small, and a tab has it large (contract §19.13). */
const SHORT_SCREEN = '(max-height: 992px)';
const CHART_PX = 200;
/** So that the newest runs are listed below it without scrolling. */
const SHORT_CHART_PX = 132;
const TAB_CHART_PX = 280;

type Tab = keyof typeof messages.tabs;

interface CheckDrawerProps {
  checkId: string;
  mayRun: boolean;
  mayEdit: boolean;
  onClose: () => void;
}

interface TabsProps {
  checkId: string;
  range: TimeRange;
  graph: Loadable<GraphView>;
  detail: Loadable<CheckDetail>;
  isShort: boolean;
}

function Tabs({ checkId, range, graph, detail, isShort }: TabsProps) {
  const [chosen, setChosen] = useState<Tab>('history');
  const panelId = useId();
  const keys: Tab[] = isShort
    ? ['history', 'graph', 'spec', 'relationships']
    : ['history', 'spec', 'relationships'];
  const tab = keys.includes(chosen) ? chosen : 'history';
  return (
    <>
      <div className={classes.tabs}>
        <TabList
          label={messages.title('')}
          tabs={keys.map((key) => ({ key, text: messages.tabs[key] }))}
          selected={tab}
          panelId={panelId}
          onSelect={setChosen}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-label={messages.tabs[tab]} className={classes.panel}>
        {tab === 'history' && <HistoryTab checkId={checkId} range={range} />}
        {tab === 'graph' && <OverviewChart graph={graph} range={range} height={TAB_CHART_PX} />}
        {tab === 'spec' && (
          <Suspense fallback={<p role="status">{ui.loading}</p>}>
            <SpecTab detail={detail} />
          </Suspense>
        )}
        {tab === 'relationships' && <RelationsTab checkId={checkId} detail={detail} />}
      </div>
    </>
  );
}

function Content(props: Omit<CheckDrawerProps, 'checkId'> & { view: CheckView }) {
  const { view, mayRun, mayEdit, onClose } = props;
  const device = useDevice();
  const { check } = view;
  const [range, setRange] = useState<TimeRange>(() =>
    rangeForAge(check.last_runtime === null ? null : device.now() - Date.parse(check.last_runtime)),
  );
  const graph = useQuery('check-graph', { checkId: check.id, range });
  const detail = useQuery('check-detail', { checkId: check.id });
  const isShort = useMedia(SHORT_SCREEN);
  return (
    <>
      <DrawerHeader view={view} onClose={onClose} />
      <div className={classes.scroll}>
        <RunStrip check={check} />
        <section className={classes.overview}>
          <h3>{messages.overview}</h3>
          <OverviewChart graph={graph} range={range} height={isShort ? SHORT_CHART_PX : CHART_PX} />
        </section>
        <StatTiles view={view} graph={graph.kept?.value ?? null} range={range} onRange={setRange} />
        {check.type === 'exec' && <RunFiles checkId={check.id} />}
        <Tabs checkId={check.id} range={range} graph={graph} detail={detail} isShort={isShort} />
      </div>
      <DrawerFooter view={view} detail={detail.kept?.value ?? null} mayRun={mayRun} mayEdit={mayEdit} />
    </>
  );
}

/** Says so where there is no such check on this device. */
export function CheckDrawer({ checkId, ...rest }: CheckDrawerProps) {
  const { onClose } = rest;
  const view = useCheck(checkId);
  const isBeside = useMedia(BESIDE);
  const label = messages.title(view?.check.name ?? '');
  const content = (
    <>
      {view === undefined && <SkeletonRows text={messages.loading} />}
      {view === null && (
        <StateNote title={messages.gone} actions={<Button onClick={onClose}>{messages.backToList}</Button>}>
          <p>{messages.goneHint}</p>
        </StateNote>
      )}
      {view !== undefined && view !== null && <Content view={view} {...rest} />}
    </>
  );
  if (isBeside) {
    return (
      <BesidePane label={label} onClose={onClose}>
        {content}
      </BesidePane>
    );
  }
  return (
    <Sheet label={label} side="right" onClose={onClose}>
      {content}
    </Sheet>
  );
}
