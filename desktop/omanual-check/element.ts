import { visibleText } from '#shared/formats/omanual/names.ts';

/** What an element contains. Texts stay texts: nothing in them is read as markup or turns the direction of writing. */
export type Child = Node | string;

/** Makes an element. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)));
  return made;
}
