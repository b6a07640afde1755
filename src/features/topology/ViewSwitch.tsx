import { IconBinaryTree2, IconLayoutGrid, IconListTree } from '@tabler/icons-react';
import { Segmented } from '../../ui/actions/Segmented.tsx';
import { messages } from './messages.ts';

const words = messages.shownAs;

export type View = 'cards' | 'graph' | 'outline';
const ICONS = {
  cards: <IconLayoutGrid size={16} aria-hidden />,
  graph: <IconBinaryTree2 size={16} aria-hidden />,
  outline: <IconListTree size={16} aria-hidden />,
};

interface ViewSwitchProps<Shown extends View> {
  views: readonly Shown[];
  value: Shown;
  onChange: (view: Shown) => void;
}

/** Cards, the same as a tree, and around one component as a graph. */
export function ViewSwitch<Shown extends View>({ views, value, onChange }: ViewSwitchProps<Shown>) {
  return (
    <Segmented
      label={words.label}
      value={value}
      options={views.map((view) => ({ value: view, label: words[view], icon: ICONS[view] }))}
      onChange={onChange}
    />
  );
}
