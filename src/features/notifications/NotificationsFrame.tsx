import { links } from '../../domain/links.ts';
import { ListFrame, type ListFrameProps } from '../../ui/page/ListFrame.tsx';
import { messages } from './messages.ts';
import { useAllRules } from './use-all-rules.ts';

/** The three lists of notifications (spec 2 §2). */
const TABS = [
  { key: 'history', text: messages.tabs.history, href: links.notifications() },
  { key: 'rules', text: messages.tabs.rules, href: links.notificationRules() },
  { key: 'silences', text: messages.tabs.silences, href: links.silences() },
] as const;

type FrameProps = Omit<ListFrameProps<(typeof TABS)[number]['key']>, 'title' | 'label' | 'tabs'>;

/** One of the lists of notifications. */
export function NotificationsFrame(props: FrameProps) {
  // Whoever looks at notifications can read the rules later, also without a network.
  useAllRules(props.tab !== 'rules');
  return <ListFrame {...props} title={messages.title} label={messages.lists} tabs={TABS} />;
}
