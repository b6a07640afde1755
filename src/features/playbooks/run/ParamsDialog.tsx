/** What a run was given, each value by the type of its parameter (spec 1 §2). */
import { Suspense } from 'react';
import type {
  PlaybookParameter,
  PlaybookResourceKind,
  RunDetail,
} from '../../../contract/http/playbooks/playbooks.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { CodeView } from '../../../ui/code/lazy-code.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { definitionOfSpec } from '../definition.ts';
import { messages } from '../messages.ts';
import { PersonName, ResourceName } from '../PersonName.tsx';
import { resourceHref } from '../resource.ts';
import { specOfRun } from './use-approval.ts';

const words = messages.detail;

function CheckLink({ id }: { id: string }) {
  const view = useCheck(id);
  return <AppLink href={resourceHref({ kind: 'check', id })}>{view?.check.name ?? id}</AppLink>;
}

function RowLink({ kind, id }: { kind: 'config' | 'component'; id: string }) {
  const found = useLiveRow(kind === 'config' ? 'configs' : 'components', id);
  return <AppLink href={resourceHref({ kind, id })}>{found?.row.name ?? id}</AppLink>;
}

function ResourceLink({ kind, id }: { kind: PlaybookResourceKind; id: string }) {
  return kind === 'check' ? <CheckLink id={id} /> : <RowLink kind={kind} id={id} />;
}

/** A value as its type wants to be read. */
export function ParamValue({ value, type }: { value: unknown; type: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text === undefined || text === '') return ui.nothing;
  switch (type) {
    case 'code':
      return (
        <Suspense fallback={<pre>{text}</pre>}>
          <CodeView text={text} />
        </Suspense>
      );
    case 'people':
      return <PersonName person={text} />;
    case 'team':
      return <ResourceName id={text} />;
    case 'component':
    case 'config':
    case 'check':
      return <ResourceLink kind={type} id={text} />;
    default:
      return text;
  }
}

function factsOf(parameters: Readonly<Record<string, unknown>>, known: readonly PlaybookParameter[]) {
  return Object.entries(parameters).map(([name, value]) => {
    const parameter = known.find((one) => one.name === name);
    return {
      name: parameter?.label ?? name,
      value: <ParamValue value={value} type={parameter?.type ?? 'text'} />,
    };
  });
}

/** Each parameter of a run by its label; a run has its playbook's specification as it was. */
export function parameterFacts(run: RunDetail['run']) {
  return factsOf(run.parameters ?? {}, definitionOfSpec(specOfRun(run)).parameters);
}

/** See the head of this file. */
export function ParamsDialog({ run, onClose }: { run: RunDetail['run']; onClose: () => void }) {
  const facts = parameterFacts(run);
  return (
    <Modal title={words.paramsTitle} size="small" onClose={onClose}>
      {facts.length === 0 ? <p>{words.noParams}</p> : <Facts facts={facts} />}
    </Modal>
  );
}
