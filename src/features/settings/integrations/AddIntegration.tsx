/** Adds what feeds the catalog, the topology or the logs: by a chart that a cluster applies, or here (spec 2 §2). */
import { lazy, Suspense } from 'react';
import { CHART_FACTS } from '../../../domain/integration/charts.ts';
import { isFeatureOn } from '../../../domain/access/flags.ts';
import { useViewer } from '../../../data/session/use-viewer.ts';
import type { SessionUser } from '../../../contract/session-user.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { ResourceForm } from '../resources/ResourceForm.tsx';
import classes from './integrations.module.css';
import { messages } from './messages.ts';
import { CHOOSE, directTiles, GITOPS_TILES, optionOf, SCRAPER_TILES, type Option } from './options.ts';

const GitOpsForm = lazy(async () => ({ default: (await import('./GitOpsForm.tsx')).GitOpsForm }));

interface TilesProps {
  label: string;
  tiles: readonly { key: string; title: string; about: string }[];
  onChoose: (key: string) => void;
}

function Tiles({ label, tiles, onChoose }: TilesProps) {
  return (
    <section aria-label={label}>
      <h3 className={classes.group}>{label}</h3>
      <ul className={classes.tiles}>
        {tiles.map(({ key, title, about }) => (
          <li key={key}>
            <button type="button" className={classes.tile} onClick={() => onChoose(key)}>
              <strong>{title}</strong>
              {about !== '' && <span>{about}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AddIntegrationProps {
  reader: SessionUser;
  /** As the address names it. */
  add: string;
  onAdd: (add: string | undefined) => void;
}

function titleOf(option: Option | null): string {
  if (option?.kind === 'gitops') return `${messages.add}: ${CHART_FACTS[option.chart].title}`;
  if (option?.kind === 'scraper-kinds') return `${messages.add}: ${messages.direct.config_scrapers.title}`;
  return option?.kind === 'direct' ? `${messages.add}: ${option.title}` : messages.add;
}

function Chosen({ option, reader, onAdd }: { option: Option } & Omit<AddIntegrationProps, 'add'>) {
  switch (option.kind) {
    case 'gitops':
      return (
        <Suspense fallback={<SkeletonRows text={messages.gitops.reading} />}>
          <GitOpsForm key={option.chart} chart={option.chart} />
        </Suspense>
      );
    case 'scraper-kinds':
      return <Tiles label={messages.scraperKinds} tiles={SCRAPER_TILES} onChoose={onAdd} />;
    case 'direct':
      return (
        <div className={classes.direct}>
          <ResourceForm
            key={option.title}
            kind={option.table}
            row={null}
            {...(option.spec === undefined ? {} : { start: { spec: option.spec } })}
            userId={reader.id}
            readOnly={null}
            isWhole
            onDone={() => onAdd(undefined)}
            onCancel={() => onAdd(undefined)}
          />
        </div>
      );
    case 'choose':
      return null;
  }
}

/** See the head of this file. */
export function AddIntegration({ reader, add, onAdd }: AddIntegrationProps) {
  const viewer = useViewer(reader);
  const hasLogs = isFeatureOn('logs', viewer.properties ?? new Map());
  const option = optionOf(add, hasLogs);
  const isChoosing = option === null || option.kind === 'choose';
  const before = option?.kind === 'direct' && option.table === 'config_scrapers' ? 'config_scrapers' : CHOOSE;
  return (
    <Modal title={titleOf(option)} size="full" onClose={() => onAdd(undefined)}>
      <div className={classes.wizard}>
        {option === null && <p role="alert">{messages.unknown}</p>}
        {isChoosing && (
          <>
            <Tiles label={messages.groups.gitops} tiles={GITOPS_TILES} onChoose={onAdd} />
            <Tiles label={messages.groups.direct} tiles={directTiles(hasLogs)} onChoose={onAdd} />
          </>
        )}
        {!isChoosing && (
          <>
            <span>
              <Button look="quiet" onClick={() => onAdd(before)}>
                {messages.back}
              </Button>
            </span>
            <Chosen option={option} reader={reader} onAdd={onAdd} />
          </>
        )}
      </div>
    </Modal>
  );
}
