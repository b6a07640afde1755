import { createContext, useContext } from 'react';
import { valueAt, type DocumentPath } from './edit-document.ts';
import { fieldLabel } from './field-label.ts';

/** The document that a form shows, and how a field of it is changed. */
export interface DocumentForm {
  value: unknown;
  isDisabled: boolean;
  /** What is wrong, by the path of the field, its parts joined by dots. */
  problems: ReadonlyMap<string, string>;
  /** What is offered while a field of that name is typed. */
  suggestions: Readonly<Record<string, readonly string[]>>;
  /** Whether what is wrong at that place is said: nobody is told of a field that they have not reached. */
  isTold: (place: string) => boolean;
  /** Undefined takes the value away. Of one form it is always the same function. */
  set: (path: DocumentPath, value: unknown) => void;
}

const NONE: DocumentForm = {
  value: {},
  isDisabled: true,
  problems: new Map(),
  suggestions: {},
  isTold: () => false,
  set: () => undefined,
};

const FormContext = createContext(NONE);
export const DocumentFormProvider = FormContext.Provider;

/** A path as problems name it. */
const placeOf = (path: DocumentPath): string => path.join('.');

/** Whether something at or below one of the places is wrong, and said to be. */
export function useHasToldProblem(paths: readonly DocumentPath[]): boolean {
  const { problems, isTold } = useContext(FormContext);
  const places = paths.map(placeOf);
  const isWithin = (problem: string) =>
    places.some((place) => problem === place || problem.startsWith(`${place}.`));
  return [...problems.keys()].some((problem) => isTold(problem) && isWithin(problem));
}

/** One field of the form around it. */
export function useDocumentField(path: DocumentPath) {
  const form = useContext(FormContext);
  const [key, place] = [String(path.at(-1) ?? ''), placeOf(path)];
  return {
    value: valueAt(form.value, path),
    label: fieldLabel(key),
    isDisabled: form.isDisabled,
    error: form.isTold(place) ? form.problems.get(place) : undefined,
    suggestions: form.suggestions[key],
    change: (value: unknown) => form.set(path, value),
    at: (...more: DocumentPath) => valueAt(form.value, [...path, ...more]),
    set: (more: DocumentPath, value: unknown) => form.set([...path, ...more], value),
  };
}
