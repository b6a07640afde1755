/** A page's elements as nodes that can be stored, and back. Only elements and texts: nothing is ever parsed as markup. */
import type { FrameElement, FrameNode } from '../../data/client/windows/first-frame.ts';
import { formatAge } from '../../domain/time/format.ts';

/**
 * What an element is to a frame: `none` is left out of it, of a `place` nothing but the room is in it, an `age` is worked
 * out when it is painted, and `health` is blank in one that is old.
 */
const FRAME = 'data-frame';

const SVG = 'http://www.w3.org/2000/svg';
/** Nobody hears or points at a frame. */
const UNUSED = /^(?:on.*|title|aria-(?:label|labelledby|describedby|controls))$/;
const REFUSED = new Set(['script', 'style', 'link', 'iframe', 'object', 'embed', 'base', 'meta', 'noscript']);

/** Its room stays. */
const hidden = (style: string | undefined) => `${style ?? ''};visibility:hidden`;

function attributesOf(element: Element): Record<string, string> {
  const own = [...element.attributes].filter(({ name }) => !UNUSED.test(name));
  const attributes = Object.fromEntries(own.map(({ name, value }) => [name, value]));
  if (attributes[FRAME] === 'place') attributes['style'] = hidden(attributes['style']);
  // What the field shows is a property.
  if (element instanceof HTMLInputElement) {
    attributes['readonly'] = '';
    if (element.checked) attributes['checked'] = '';
  }
  if (element instanceof HTMLOptionElement && element.selected) attributes['selected'] = '';
  return attributes;
}

function isLeftOut(element: Element): boolean {
  if (REFUSED.has(element.localName) || element.classList.contains('visually-hidden')) return true;
  if (element.getAttribute(FRAME) === 'none') return true;
  return element.getBoundingClientRect().top >= window.innerHeight;
}

/** What of the page is on screen. */
export function takeNodes(parent: Element): FrameNode[] {
  return [...parent.childNodes].flatMap((node): FrameNode[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element) || isLeftOut(node)) return [];
    return [[node.localName, attributesOf(node), ...takeNodes(node)]];
  });
}

/** When a frame is painted. */
interface PaintMoment {
  /** The server's clock: ages are by it. */
  nowMs: number;
  /** What it says of health may be said no longer. */
  isOld: boolean;
}

function contentOf([, attributes, ...content]: FrameElement, { nowMs }: PaintMoment): FrameNode[] {
  if (attributes[FRAME] !== 'age') return content;
  return [formatAge(nowMs - Date.parse(attributes['datetime'] ?? '')), ...content.slice(1)];
}

function makeElement(node: FrameElement, moment: PaintMoment, parent: Node): Element {
  const [tag, attributes] = node;
  const isSvg = tag === 'svg' || (parent instanceof Element && parent.namespaceURI === SVG);
  const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (!UNUSED.test(name)) element.setAttribute(name, value);
  if (moment.isOld && attributes[FRAME] === 'health')
    element.setAttribute('style', hidden(attributes['style']));
  addNodes(element, contentOf(node, moment), moment);
  return element;
}

function addNodes(parent: ParentNode & Node, nodes: readonly FrameNode[], moment: PaintMoment): void {
  for (const node of nodes) {
    if (typeof node === 'string') parent.append(node);
    else if (!REFUSED.has(node[0])) parent.append(makeElement(node, moment, parent));
  }
}

/** The elements. */
export function makeNodes(nodes: readonly FrameNode[], moment: PaintMoment): DocumentFragment {
  const made = document.createDocumentFragment();
  addNodes(made, nodes, moment);
  return made;
}
