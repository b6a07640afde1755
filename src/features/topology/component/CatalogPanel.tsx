/** The catalog items that are linked to a component; a link made by hand can be taken back (spec 2 §2). */
import { IconLinkPlus, IconUnlink } from '@tabler/icons-react';
import { useState } from 'react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ConfigIcon } from '../../../ui/marks/ConfigIcon.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { messages as topology } from '../messages.ts';
import { ComponentDialogs } from '../actions/ComponentDialogs.tsx';
import { messages as actions } from '../actions/messages.ts';
import { useMayLink } from '../actions/use-may-link.ts';
import classes from './component.module.css';
import { messages } from './messages.ts';
import { PanelRows } from './PanelRows.tsx';
import { isOneOf } from './use-panel-rows.ts';

const words = actions.link;

interface Linked {
  id: string;
  name: string;
}

function Unlink({ componentId, item, onClose }: { componentId: string; item: Linked; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    const answer = await run({ name: 'unlink_config', componentId, configId: item.id });
    if (!answer.ok) {
      setProblem(topology.errorText(answer.error));
      return;
    }
    toasts.success(messages.unlink.done);
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.unlink.title}
      question={messages.unlink.question(item.name)}
      confirm={messages.unlink.confirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** See the head of this file. */
export function CatalogPanel({ component }: { component: ComponentFacts }) {
  const isReachable = useReachable();
  const mayLink = useMayLink();
  // Which links a person made only the server says.
  const linked = useQuery('component-configs', { componentId: component.id });
  const manual = new Set((linked.kept?.value ?? []).filter(({ isManual }) => isManual).map(({ id }) => id));
  const [unlinked, setUnlinked] = useState<Linked | null>(null);
  const [isLinking, setLinking] = useState(false);
  return (
    <>
      <PanelRows
        label={messages.panels.catalog}
        empty={messages.empty.catalog}
        collection="configs"
        where={isOneOf('id', component.configIds)}
        line={({ id, row }) => {
          const name = row.name ?? id;
          return (
            <>
              <span className={classes.mark}>
                <ConfigIcon type={row.type ?? ''} size={16} />
              </span>
              <AppLink href={links.config(id)} title={name}>
                {name}
              </AppLink>
              <SilencedMark kind="config" id={id} />
              <span className={classes.end}>
                <HealthLabel
                  state={healthOfWord(row.health)}
                  text={topology.health[healthOfWord(row.health)]}
                />
                {mayLink && manual.has(id) && (
                  <IconButton
                    label={messages.unlink.action(name)}
                    disabled={!isReachable}
                    onClick={() => setUnlinked({ id, name })}
                  >
                    <IconUnlink size={15} />
                  </IconButton>
                )}
              </span>
              <span className={classes.sub}>
                {[row.type, row.status, manual.has(id) ? messages.manual : null].filter(Boolean).join(' · ')}
              </span>
            </>
          );
        }}
      />
      {mayLink && (
        <div className={classes.panelActions}>
          <Button
            look="outline"
            disabled={!isReachable}
            {...(isReachable ? {} : { title: words.offline })}
            onClick={() => setLinking(true)}
          >
            <IconLinkPlus size={15} aria-hidden />
            {words.action}
          </Button>
        </div>
      )}
      {unlinked !== null && (
        <Unlink componentId={component.id} item={unlinked} onClose={() => setUnlinked(null)} />
      )}
      <ComponentDialogs
        opened={isLinking ? { dialog: 'link', component } : null}
        onClose={() => setLinking(false)}
      />
    </>
  );
}
