/** Chooses a person, a team, or a thing that a playbook runs on. */
import type { ReactNode } from 'react';
import type { PlaybookResourceKind } from '../../../contract/http/playbooks/playbooks.ts';
import {
  Picker as AnyPicker,
  PickerList,
  type PickerListProps,
  type PickerOption,
} from '../../../ui/fields/Picker.tsx';
import { useNamed, useResources } from './found.ts';

/** Where the options come from. */
export type Source =
  | { kind: 'named'; of: 'people' | 'team' }
  | { kind: 'resource'; of: PlaybookResourceKind; selectors: readonly Record<string, unknown>[] };

interface PickerProps {
  label: string;
  /** What is chosen; null for nothing. */
  chosen: { id: string; text: ReactNode; spoken: string } | null;
  source: Source;
  onChoose: (option: PickerOption | null) => void;
  isClearable?: boolean;
  isDisabled?: boolean;
  isWrong?: boolean;
}

function ResourceList({
  source,
  ...props
}: PickerListProps & { source: Extract<Source, { kind: 'resource' }> }) {
  return <PickerList {...props} found={useResources(source.of, source.selectors, props.search)} />;
}

function NamedList({ source, ...props }: PickerListProps & { source: Extract<Source, { kind: 'named' }> }) {
  return <PickerList {...props} found={useNamed(source.of, props.search)} />;
}

/** See the head of this file. */
export function Picker({ source, ...props }: PickerProps) {
  return (
    <AnyPicker
      {...props}
      list={(asked) =>
        source.kind === 'named' ? (
          <NamedList key={asked.search} {...asked} source={source} />
        ) : (
          <ResourceList {...asked} source={source} />
        )
      }
    />
  );
}
