import { errorText } from '../../../contract/errors.ts';

/** Everything that the connections say (spec 2 §2, §5, §8). */
export const messages = {
  title: 'Connections',
  total: (count: number) => (count === 1 ? '1 connection' : `${count} connections`),
  emptyHint:
    'Connections are the addresses and credentials that checks and scrapers sign in with. Add the first one above.',
  failed: 'The connections could not be loaded',
  add: 'Add Connection',
  chooseType: 'Select connection type',
  searchTypes: 'Search types',
  clearSearch: 'Clear search',
  addTitle: (title: string) => `Add ${title} connection`,
  editTitle: (name: string) => `Edit ${name}`,
  loading: 'Loading the connection …',
  unknownType: (type: string) => `Connections of type ${type} cannot be edited here`,
  columns: {
    name: 'Name',
    namespace: 'Namespace',
    type: 'Type',
    createdBy: 'Created By',
    createdAt: 'Created',
    updatedAt: 'Updated',
  },
  form: {
    name: 'Name',
    namespace: 'Namespace',
    required: 'This field is required',
    number: 'This field must be a number',
    save: 'Save',
    saving: 'Saving …',
    update: 'Update',
    updating: 'Updating …',
    test: 'Test',
    testing: 'Testing …',
    overtaken:
      'What is kept was changed meanwhile. What you have typed is still here: saving it writes over that.',
    saveFirst: 'Save it first: the test uses what is saved.',
    remove: 'Delete',
    back: 'Back',
  },
  deletion: {
    title: 'Delete Connection',
    question: (name: string) => `Are you sure you want to delete the connection ${name}?`,
    confirm: 'Delete',
  },
  added: 'Connection added successfully',
  updated: 'Connection updated successfully',
  removed: 'Connection deleted successfully',
  tested: 'Connection successful',
  untestable: 'We currently do not support testing this connection type',
  testFailed: 'Testing connection failed!',
  readOnly: (source: string) =>
    `This comes from ${source}: change it there. What is changed here would be overwritten.`,
  errorText,
} as const;
