/**
 * A whole document (apiVersion, kind, metadata, spec) where only its spec was asked for, as people copy it from files
 * and manuals. Says what it holds; the form takes it from there.
 */
import { Document, isMap } from 'yaml';
import { z } from 'zod';
import { yamlDocument, yamlValue } from '../../../lib/read-yaml.ts';
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';

/** What documents of each kind call themselves. */
const DOCUMENT_KINDS: Readonly<Partial<Record<ResourceKind, string>>> = {
  canaries: 'Canary',
  config_scrapers: 'ScrapeConfig',
  topologies: 'Topology',
};

export interface WholeDocument {
  /** null for one that does not say. */
  kind: string | null;
  name: string | null;
  namespace: string | null;
  labels: Record<string, string>;
  annotations: Record<string, string> | null;
  /** The text of the spec, with its comments. */
  spec: string;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const texts = z.record(z.string(), scalar);
const documentSchema = z.object({
  kind: z.string().nullish(),
  metadata: z
    .object({
      name: scalar.nullish(),
      namespace: scalar.nullish(),
      labels: texts.nullish(),
      annotations: texts.nullish(),
    })
    .nullish(),
});

const HEAD = /^(?:apiVersion|kind|metadata)\s*:/m;

/** The whole document that the text is; null for a text that is none. */
export function wholeDocument(text: string): WholeDocument | null {
  // Most texts are none, and parsing a long one takes a while.
  if (!HEAD.test(text) && !/^\s*\{/.test(text)) return null;
  const document = yamlDocument(text);
  const spec = document.errors.length === 0 ? document.get('spec', true) : undefined;
  const hasHead = ['apiVersion', 'kind', 'metadata'].some((key) => document.has(key));
  if (!isMap(spec) || !hasHead) return null;
  const read = documentSchema.safeParse(yamlValue(document));
  if (!read.success) return null;
  const { kind, metadata } = read.data;
  const own = new Document();
  own.contents = spec;
  return {
    kind: kind ?? null,
    name: metadata?.name ?? null,
    namespace: metadata?.namespace ?? null,
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? null,
    spec: own.toString(),
  };
}

/** What the form is for, when the document is of another kind; null when it fits. */
export function expectedKind(kind: ResourceKind, document: WholeDocument): string | null {
  const due = DOCUMENT_KINDS[kind];
  return due === undefined || document.kind === null || document.kind === due ? null : due;
}
