/** The parts of a form in the identity provider's shape; pages render them without knowing what they are for. */
import type { FlowRow } from './flow-query.ts';
import type { FlowMessage } from './flow-messages.ts';

export type NodeGroup = 'default' | 'password' | 'profile' | 'totp' | 'lookup_secret' | 'code';

export interface FlowNode {
  type: 'input' | 'img' | 'text' | 'a';
  group: NodeGroup;
  attributes: Record<string, unknown>;
  messages: FlowMessage[];
  meta: { label?: FlowMessage };
}

interface InputRequest {
  group: NodeGroup;
  name: string;
  type: 'hidden' | 'text' | 'email' | 'password' | 'submit';
  label?: FlowMessage;
  value?: string;
  isRequired?: boolean;
  autocomplete?: string;
  pattern?: string;
}

/** A field with what the flow remembers of it: the value typed before, and what was wrong with it. */
export function inputNode(flow: FlowRow, request: InputRequest): FlowNode {
  const { group, name, type, label, isRequired, autocomplete, pattern } = request;
  const value = type === 'submit' ? request.value : (flow.ui.values?.[name] ?? request.value);
  return {
    type: 'input',
    group,
    attributes: {
      name,
      type,
      ...(value === undefined ? {} : { value }),
      ...(isRequired === true ? { required: true } : {}),
      ...(autocomplete === undefined ? {} : { autocomplete }),
      ...(pattern === undefined ? {} : { pattern }),
      disabled: false,
      node_type: 'input',
    },
    messages: flow.ui.fields?.[name] ?? [],
    meta: label === undefined ? {} : { label },
  };
}

/** A picture, such as the QR code of an authenticator app; `src` is a data URL. */
export function imageNode(
  group: NodeGroup,
  image: { id: string; src: string; sizePx: number; label: FlowMessage },
): FlowNode {
  return {
    type: 'img',
    group,
    attributes: {
      id: image.id,
      src: image.src,
      width: image.sizePx,
      height: image.sizePx,
      node_type: 'img',
    },
    messages: [],
    meta: { label: image.label },
  };
}

/** A text to be read or copied, such as a secret. */
export function textNode(
  group: NodeGroup,
  shown: { id: string; text: FlowMessage; label: FlowMessage },
): FlowNode {
  return {
    type: 'text',
    group,
    attributes: { id: shown.id, text: shown.text, node_type: 'text' },
    messages: [],
    meta: { label: shown.label },
  };
}

/** A link that leads on from the form. */
export function linkNode(group: NodeGroup, link: { id: string; href: string; label: FlowMessage }): FlowNode {
  return {
    type: 'a',
    group,
    attributes: { id: link.id, href: link.href, title: link.label, node_type: 'a' },
    messages: [],
    meta: { label: link.label },
  };
}
