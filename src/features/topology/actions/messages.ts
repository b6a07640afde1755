import { formatCount } from '../../../domain/format-count.ts';

const number = (count: number) => formatCount(count);

/** What the actions of a component say, on its card and on its page. */
export const messages = {
  link: {
    action: 'Link to catalog',
    title: (name: string) => `Link to catalog item: ${name}`,
    search: 'Find a catalog item',
    clear: 'Clear search',
    none: 'No catalog item matches.',
    submit: 'Link',
    done: 'config link successful',
    hint: (shown: number, total: number) =>
      `Showing ${number(shown)} of ${number(total)}: type to find others.`,
    offline: 'Links are made on the server, which can’t be reached now.',
  },
  actions: 'Actions of this component',
  actionsOf: (name: string) => `Actions of ${name}`,
  attach: 'Attach as Evidence',
  viewLogs: 'View Logs',
  snapshot: {
    action: 'Download snapshot',
    title: (name: string) => `Download snapshot: ${name}`,
    range: 'Time range',
    related: 'Include related components',
    submit: 'Download',
    busy: 'Downloading …',
    failed: 'Error downloading file',
    offline: 'A snapshot is made on the server, which can’t be reached now.',
    file: (name: string) => `${name}-snapshot.zip`,
  },
} as const;
