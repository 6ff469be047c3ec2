/** An element of a page. `children` are its texts and elements in order. */
export interface PageElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly PageNode[];
}

export type PageNode = PageElement | string;

/** Makes an element. */
export function node(
  name: string,
  children: readonly PageNode[],
  attributes: Readonly<Record<string, string>> = {},
): PageElement {
  return { name, attributes, children };
}

/** The text of nodes, without elements. */
export function nodesText(nodes: readonly PageNode[]): string {
  return nodes.map((one) => (typeof one === 'string' ? one : nodesText(one.children))).join('');
}

/** The number of elements and texts in an element, and of line breaks between them, which are texts when it is read. */
export function nodesIn(element: PageElement): number {
  let count = 2;
  for (const child of element.children) count += typeof child === 'string' ? 1 : nodesIn(child);
  return count;
}

/** A text without control characters; tabs and line breaks are spaces. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- no document can have them
  return text.replaceAll(/[\t-\r]/g, ' ').replaceAll(/[\u0000-\u001f\u007f]/g, '');
}
