import { useForm, useWatch } from 'react-hook-form';
import type { AgentRow } from '../../../contract/http/table-views.ts';
import { administer } from '../../../data/session/administration.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { SCRAPE_INTERVALS } from '../../../domain/agents/install-text.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { CheckInput, SelectInput, TextInput } from '../../../ui/form/fields.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { LabelsInput } from '../../../ui/form/LabelsInput.tsx';
import { labelsOf } from '../../../ui/form/labels.ts';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { agentSchema, agentValues, writtenProperties, type AgentValues } from './agent-schema.ts';
import { messages } from './messages.ts';
import { TwoPrograms } from './TwoPrograms.tsx';

const words = messages.form;
const INTERVALS = SCRAPE_INTERVALS.map((value) => ({ value, label: value }));

/** What was just made, as its install text needs it; the token is told only now. */
export interface MadeAgent {
  name: string;
  token: string;
  kubernetes: { interval: string } | null;
  topologyName: string | null;
}

interface AgentFormProps {
  /** Null for a new one. */
  row: AgentRow | null;
  /** Where agents reach the server; what telemetry is called, unless somebody says otherwise. */
  host: string;
  /** Null where an existing one was changed. */
  onDone: (made: MadeAgent | null) => void;
  /** For an existing one. */
  onRemove: () => void;
  onClose: () => void;
}

const telemetryOf = ({ hasTelemetry, topologyName }: AgentValues) =>
  hasTelemetry ? { enabled: true, topologyName: topologyName.trim() } : undefined;

/** What its agent is to do in a cluster: it goes into the install text, and the server is not told of it. */
function InstallFields() {
  const [hasKubernetes, hasTelemetry] = useWatch<AgentValues, ['hasKubernetes', 'hasTelemetry']>({
    name: ['hasKubernetes', 'hasTelemetry'],
  });
  return (
    <>
      <CheckInput name="hasKubernetes" label={words.kubernetes} hint={words.kubernetesHint} />
      {hasKubernetes && <SelectInput name="interval" label={words.interval} options={INTERVALS} />}
      <CheckInput name="hasTelemetry" label={words.telemetry} hint={words.telemetryHint} />
      {hasTelemetry && <TextInput name="topologyName" label={words.topologyName} isRequired />}
    </>
  );
}

const valuesOf = (row: AgentRow) => agentValues({ name: row.name ?? '', properties: row['properties'] }, '');

/** Makes an agent, or changes the properties of one (contract §8). */
export function AgentForm({ row, host, onDone, onRemove, onClose }: AgentFormProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const form = useForm<AgentValues>({
    resolver: zodResolver(agentSchema),
    defaultValues: row === null ? agentValues(null, host) : valuesOf(row),
  });
  const isOvertaken = useFreshRow(form, row, valuesOf);
  const send = async (values: AgentValues) => {
    const properties = labelsOf(values.properties);
    const name = values.name.trim();
    const answer = await administer(
      row === null
        ? { name: 'generate_agent', agent: name, properties, pushTelemetry: telemetryOf(values) }
        : {
            name: 'update_row',
            table: 'agents',
            key: row.id,
            values: { properties: writtenProperties(properties) },
          },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    toasts.success(row === null ? messages.created : messages.updated);
    const { token } = answer.value;
    if (token === null) onDone(null);
    else
      onDone({
        name,
        token,
        kubernetes: values.hasKubernetes ? { interval: values.interval } : null,
        topologyName: telemetryOf(values)?.topologyName ?? null,
      });
    return null;
  };
  return (
    <Modal
      title={row === null ? words.addTitle : words.editTitle(row.name ?? row.id)}
      size="small"
      onClose={onClose}
    >
      <FormShell
        form={form}
        isOvertaken={isOvertaken}
        onSend={send}
        submit={row === null ? words.save : words.update}
        submitting={row === null ? words.saving : words.updating}
        blocked={isReachable ? null : ui.needsServer}
        onCancel={onClose}
        aside={
          row !== null && (
            <Button disabled={!isReachable} onClick={onRemove}>
              {words.remove}
            </Button>
          )
        }
      >
        <TextInput
          name="name"
          label={words.name}
          isRequired
          isDisabled={row !== null}
          hint={row === null ? words.nameHint : words.nameFixed}
          hasFocus={row === null}
        />
        <LabelsInput name="properties" label={words.properties} hint={words.propertiesHint} />
        {row === null && <InstallFields />}
        {row !== null && <TwoPrograms rows={[row]} />}
        {typeof row?.cluster_seen === 'string' && <p>{messages.cluster.contextHint(row.name ?? row.id)}</p>}
      </FormShell>
    </Modal>
  );
}
