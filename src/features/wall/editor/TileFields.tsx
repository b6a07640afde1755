/** What the chosen tile shows, as fields. */
import { NUMBER_SOURCES, type Tile, type TileOf } from '../../../contract/http/walls.ts';
import { useHealthView } from '../../../data/queries/health/use-health-view.ts';
import { isGroupBy } from '../../../domain/check/grouping.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { messages } from '../messages.ts';
import { ALL_CHECKS } from '../tiles/wall-queries.ts';
import classes from './editor.module.css';
import { ThingField } from './ThingField.tsx';

const words = messages.editor;
const GROUPS = ['canary_name', 'name', 'description', 'type', 'none'] as const;

interface FieldsProps<T extends Tile> {
  tile: T;
  onChange: (tile: Tile) => void;
}

function CheckField({ tile, onChange }: FieldsProps<TileOf<'check'>>) {
  return (
    <ThingField
      label={messages.kinds.check}
      collection="checks"
      id={tile.checkId}
      none={words.chooseCheck}
      onChoose={(checkId) => onChange({ ...tile, checkId: checkId ?? '' })}
    />
  );
}

function TopologyField({ tile, onChange }: FieldsProps<TileOf<'topology'>>) {
  return (
    <ThingField
      label={words.below}
      collection="components"
      id={tile.rootId ?? ''}
      none={words.wholeTopology}
      isClearable
      onChoose={(rootId) => onChange({ ...tile, rootId })}
    />
  );
}

/** What checks can be grouped by on the health board, and what this tile is grouped by if no check has it any more. */
function useGroupings(chosen: string) {
  const { frame } = useHealthView(ALL_CHECKS);
  const labels = new Set(frame.facets.map(({ key }) => `label:${key}`));
  if (chosen.startsWith('label:')) labels.add(chosen);
  return [
    ...GROUPS.map((value) => ({ value, label: words.groups[value] })),
    ...[...labels].map((value) => ({ value, label: value.slice('label:'.length), group: words.labels })),
  ];
}

function HealthFields({ tile, onChange }: FieldsProps<TileOf<'health'>>) {
  const options = useGroupings(tile.groupBy);
  return (
    <>
      <SelectField
        label={words.groupBy}
        caption="above"
        value={tile.groupBy}
        options={options}
        onChange={(value) => isGroupBy(value) && onChange({ ...tile, groupBy: value })}
      />
      <TextField label={words.query} value={tile.query} onChange={(query) => onChange({ ...tile, query })} />
    </>
  );
}

function NumberFields({ tile, onChange }: FieldsProps<TileOf<'number'>>) {
  return (
    <>
      <SelectField
        label={words.counted}
        caption="above"
        value={tile.of}
        options={NUMBER_SOURCES.map((value) => ({ value, label: messages.numbers[value] }))}
        onChange={(value) =>
          onChange({ ...tile, of: NUMBER_SOURCES.find((one) => one === value) ?? tile.of })
        }
      />
      {tile.of !== 'incidents' && (
        <TextField
          label={words.query}
          value={tile.query}
          onChange={(query) => onChange({ ...tile, query })}
        />
      )}
    </>
  );
}

function OwnFields({ tile, onChange }: FieldsProps<Tile>) {
  switch (tile.kind) {
    case 'health':
      return <HealthFields tile={tile} onChange={onChange} />;
    case 'check':
      return <CheckField tile={tile} onChange={onChange} />;
    case 'topology':
      return <TopologyField tile={tile} onChange={onChange} />;
    case 'number':
      return <NumberFields tile={tile} onChange={onChange} />;
    case 'clock':
      return (
        <TextField
          label={words.zones}
          hint={words.zonesHint}
          value={tile.zones.join(', ')}
          onChange={(text) => onChange({ ...tile, zones: text.split(/,\s*/) })}
        />
      );
    case 'text':
      return (
        <TextField
          label={messages.kinds.text}
          isLong
          value={tile.text}
          maxLength={2000}
          onChange={(text) => onChange({ ...tile, text })}
        />
      );
    case 'incidents':
    case 'changes':
      return null;
  }
}

/** Fields of one tile, with the button that removes it. */
export function TileFields(props: FieldsProps<Tile> & { onRemove: () => void }) {
  const { tile, onChange, onRemove } = props;
  return (
    <section className={classes.fields} aria-label={words.chosen(messages.kinds[tile.kind])}>
      <h2>{messages.kinds[tile.kind]}</h2>
      <TextField
        label={words.tileTitle}
        hint={words.tileTitleHint}
        value={tile.title}
        maxLength={100}
        onChange={(title) => onChange({ ...tile, title })}
      />
      <OwnFields tile={tile} onChange={onChange} />
      <p className={classes.hint}>{words.keys}</p>
      <Button onClick={onRemove}>{words.remove}</Button>
    </section>
  );
}
