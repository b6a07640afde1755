import { formatCount } from '../../../domain/format-count.ts';

/** What an empty server says first. */
export const messages = {
  title: 'Get started',
  lead: 'This server watches itself so far. Add what is yours:',
  steps: {
    canaries: {
      title: 'A health check',
      hint: 'An address, a port, a name or a database that is looked at on a schedule.',
      add: 'Add a health check',
    },
    config_scrapers: {
      title: 'A scraper',
      hint: 'Reads a cluster, a cloud, files or a database into the catalog, and notices what changes.',
      add: 'Add a scraper',
    },
    teams: {
      title: 'A team',
      hint: 'The people who look after something, and are asked to help in an incident.',
      add: 'Add a team',
    },
  },
  added: (count: number) => `· ${formatCount(count)} added`,
  demo: 'Only looking around? `npm start -- --demo` fills every screen with a made-up company.',
} as const;
