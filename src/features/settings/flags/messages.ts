import { errorText, type ErrorFacts } from '../../../contract/errors.ts';

/** Everything that the feature flags say (spec 2 §2, §5, §8). */
export const messages = {
  title: 'Feature Flags',
  table: 'Feature flags',
  total: (count: number) => (count === 1 ? '1 flag' : `${count} flags`),
  add: 'Add Feature Flag',
  edit: 'Edit Feature Flag',
  emptyHint:
    'Everything is switched on until a flag says otherwise. Add one to switch a part of the product off.',
  failed: 'The feature flags could not be loaded',
  columns: {
    name: 'Name',
    description: 'Description',
    value: 'Value',
    source: 'Source',
    createdBy: 'Created By',
    createdAt: 'Created At',
    updatedAt: 'Updated At',
  },
  form: {
    name: 'Name',
    value: 'Value',
    missing: 'please provide all details',
    save: 'Save',
    saving: 'Saving …',
    update: 'Update',
    updating: 'Updating …',
  },
  local: 'Cannot edit local feature flags',
  readOnly: 'You may look at feature flags, not change them',
  remove: 'Delete',
  removeTitle: 'Delete Feature Flag',
  removeQuestion: (name: string) => `Are you sure you want to delete the feature flag ${name}?`,
  added: 'Feature flag added successfully',
  updated: 'Feature flag updated successfully',
  removed: 'Feature flag removed successfully',
  errorText: (error: ErrorFacts) => errorText(error),
} as const;
