import type { UseFormReturn } from 'react-hook-form';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { labelPairs } from '../../../ui/form/labels.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import type { ResourceValues } from './resource-form.ts';
import { expectedKind, wholeDocument, type WholeDocument } from './whole-document.ts';

const words = messages.form;

/** Why the document can't be taken into this form; null when it can. */
function refusalOf(kind: ResourceKind, document: WholeDocument, lockedName: string | null): string | null {
  const due = expectedKind(kind, document);
  if (due !== null) return words.otherKind(document.kind ?? '', due);
  const isOther = lockedName !== null && document.name !== null && document.name !== lockedName;
  return isOther ? words.otherName(document.name ?? '', lockedName) : null;
}

/** Scrapers have their namespace in their name. */
function nameOf(kind: ResourceKind, { name, namespace }: WholeDocument): string {
  const isInName = kind === 'config_scrapers' && namespace !== null && namespace !== 'default';
  return isInName ? `${namespace}/${name ?? ''}` : (name ?? '');
}

/**
 * Takes a whole document that stands in the spec apart into the form's fields; answers false when that can't be, and
 * the field says why. `lockedName` is the name of what is changed, null for a new one.
 */
export function useWholeDocument(
  form: UseFormReturn<ResourceValues>,
  kind: ResourceKind,
  lockedName: string | null,
): (text: string) => void {
  const toasts = useToasts();
  return (text) => {
    const document = wholeDocument(text);
    if (document === null) return;
    const refusal = refusalOf(kind, document, lockedName);
    if (refusal !== null) {
      form.setError('spec', { message: refusal });
      return;
    }
    const facts = RESOURCES[kind];
    const isChange = { shouldDirty: true };
    if (lockedName === null && document.name !== null)
      form.setValue('name', nameOf(kind, document), { ...isChange, shouldValidate: true });
    if (lockedName === null && document.namespace !== null)
      form.setValue('namespace', document.namespace, isChange);
    if (facts.hasLabels) form.setValue('labels', labelPairs(document.labels), isChange);
    form.setValue('annotations', document.annotations, isChange);
    form.setValue('spec', document.spec, isChange);
    form.clearErrors('spec');
    toasts.success(words.takenApart);
  };
}
