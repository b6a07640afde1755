import { errorText } from '../../contract/errors.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const ROLES = lookupTable<string>({ admin: 'Administrator', member: 'Member' });

/** Everything that the organisation picker and switcher say. */
export const messages = {
  title: 'Choose an organization',
  hint: 'You work in one organization at a time. What this device keeps belongs to that one only.',
  loading: 'Loading your organizations …',
  none: 'You belong to no organization yet. Create one, or ask an administrator to invite you.',
  list: 'Your organizations',
  roleOf: (role: string) => ROLES[role] ?? role,
  createTitle: 'Create an organization',
  name: 'Name',
  nameHint: 'For example the name of your company or team',
  required: 'This field is required',
  create: 'Create organization',
  working: 'One moment …',
  signOut: 'Sign out',
  retry: 'Retry',
  switcher: (name: string) => `Organization: ${name}`,
  switcherAlone: 'Organization',
  switchTo: 'Work in',
  manage: 'Create or choose another …',
  sealed: (count: number) =>
    `${count === 1 ? 'One change that was not sent stays' : `${count} changes that were not sent stay`} on this device, sealed, and ${count === 1 ? 'is' : 'are'} sent when you come back to this organization.`,
  errorText,
} as const;
