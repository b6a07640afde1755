/** The components that an item is linked to; a link made by hand can be taken back (spec 2 §2). */
import { IconLinkPlus, IconUnlink } from '@tabler/icons-react';
import { useState } from 'react';
import type { LinkedComponent } from '../../../contract/http/catalog/config-item.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useComponentsWithLogs } from '../../../data/queries/logs/use-components-with-logs.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useSession } from '../../../data/session/use-session.ts';
import { may } from '../../../domain/access/matrix.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { ViewLogsOf } from '../../../ui/actions/ViewLogs.tsx';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useItem } from './item-context.tsx';
import classes from './item.module.css';
import { LinkDialog } from './LinkDialog.tsx';
import { messages } from './messages.ts';
import { Section } from './Section.tsx';

const words = messages.details;

/** Names where this device has the component; what the server said otherwise. */
function useNames(components: readonly LinkedComponent[]): ReadonlyMap<string, string> {
  const { rows } = useLiveQuery({
    collection: 'components',
    where: [{ field: 'id', op: 'in', values: components.map(({ id }) => id) }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: 100 },
  });
  return new Map(rows.flatMap(({ id, row }) => (row.name === null ? [] : [[id, row.name]])));
}

function Unlink({ component, name, onClose }: { component: string; name: string; onClose: () => void }) {
  const { facts } = useItem();
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    const answer = await run({ name: 'unlink_config', componentId: component, configId: facts.id });
    if (!answer.ok) {
      setProblem(messages.errorText(answer.error));
      return;
    }
    toasts.success(messages.unlink.done);
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.unlink.title}
      question={messages.unlink.question(name)}
      confirm={messages.unlink.confirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** Taking a link back needs the right to write the database, and the server. */
export function LinkedComponents({ configId }: { configId: string }) {
  const { detail } = useItem();
  const isReachable = useReachable();
  const session = useSession();
  const mayLink = session.kind === 'signed-in' && may(session.user.roles, 'database', 'write');
  const linked = useQuery('config-components', { configId });
  const known =
    linked.kept?.value ??
    detail.kept?.value.components.map(({ id, name }) => ({ id, name, isManual: false })) ??
    [];
  const names = useNames(known);
  const logged = useComponentsWithLogs({ configId });
  const [unlinked, setUnlinked] = useState<{ id: string; name: string } | null>(null);
  const [isLinking, setLinking] = useState(false);
  return (
    <Section
      title={words.components}
      action={
        mayLink && (
          <Button
            look="quiet"
            disabled={!isReachable}
            {...(isReachable ? {} : { title: messages.link.offline })}
            onClick={() => setLinking(true)}
          >
            <IconLinkPlus size={15} aria-hidden />
            {words.link}
          </Button>
        )
      }
    >
      {known.length === 0 && <p className={classes.none}>{words.noLinks}</p>}
      <ul className={classes.links}>
        {known.map(({ id, name: stored, isManual }) => {
          const name = names.get(id) ?? stored ?? id;
          return (
            <li key={id}>
              <AppLink href={links.component(id)}>{name}</AppLink>
              {mayLink && isManual && (
                <span className={classes.aside}>
                  {words.manual}
                  <IconButton
                    label={words.unlink(name)}
                    disabled={!isReachable}
                    onClick={() => setUnlinked({ id, name })}
                  >
                    <IconUnlink size={15} />
                  </IconButton>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {logged.length > 0 && (
        <div className={classes.logs}>
          <ViewLogsOf components={logged} />
        </div>
      )}
      {unlinked !== null && (
        <Unlink component={unlinked.id} name={unlinked.name} onClose={() => setUnlinked(null)} />
      )}
      {isLinking && (
        <LinkDialog
          configId={configId}
          linkedIds={known.map(({ id }) => id)}
          onClose={() => setLinking(false)}
        />
      )}
    </Section>
  );
}
