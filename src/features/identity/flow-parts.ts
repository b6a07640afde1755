/** How a flow's nodes become forms: which belong together, and what a form sends. Pure. */
import type { FlowNode, IdentityFlow } from '../../contract/http/identity/identity-flow.ts';
import type { FlowKind } from '../../domain/identity/flow-reaction.ts';

export interface FlowFormParts {
  /** The method that the form is for. */
  group: string;
  nodes: readonly FlowNode[];
}

const SHARED = 'default';

function isHidden(node: FlowNode): boolean {
  return node.type === 'input' && node.attributes.type === 'hidden';
}

/**
 * One form a method. What all share (the CSRF token) goes with each; what the first step asks for (who you are)
 * goes with the first one, unless the page is one of several independent cards.
 */
export function formsOf(kind: FlowKind, flow: IdentityFlow): FlowFormParts[] {
  const { nodes } = flow.ui;
  const shared = nodes.filter((node) => node.group === SHARED);
  const groups = [...new Set(nodes.map((node) => node.group))].filter((group) => group !== SHARED);
  // A form of traits and a way to prove them is one form: registration.
  const joined = kind === 'registration' ? groups.filter((group) => group !== 'oidc') : [];
  const parts = [
    ...(joined.length > 0 ? [{ group: joined[0] ?? SHARED, of: joined }] : []),
    ...groups.filter((group) => !joined.includes(group)).map((group) => ({ group, of: [group] })),
  ];
  if (parts.length === 0) return shared.length === 0 ? [] : [{ group: SHARED, nodes: shared }];
  return parts.map(({ group, of }, index) => ({
    group,
    nodes: [
      ...(index === 0 && kind !== 'settings' ? shared : shared.filter(isHidden)),
      ...nodes.filter((node) => of.includes(node.group)),
    ],
  }));
}

/** The names of what must be filled in and isn't. */
export function missingFields(
  nodes: readonly FlowNode[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return nodes
    .filter(({ type, attributes }) => {
      if (type !== 'input' || !attributes.required || attributes.disabled) return false;
      if (['hidden', 'submit', 'button'].includes(attributes.type)) return false;
      const value = values[attributes.name];
      return value === undefined || value === '';
    })
    .map((node) => node.attributes.name);
}
