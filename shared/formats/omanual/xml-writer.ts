/** Attributes of an element in the order they are written; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** What XML 1.0 cannot say at all, not even as a reference; lone surrogates are replaced before. */
// oxlint-disable-next-line no-control-regex -- the point is to take them out
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text between tags. Characters that XML has no way to say are left out. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(impossible, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Text of an attribute; its line breaks are kept from being read as blanks. */
function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

/** An element around content that is XML already; without content it closes itself. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let open = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) open += ` ${key}="${xmlAttribute(String(value))}"`;
  }
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** An element that holds nothing but text. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return element(name, attributes, xmlText(text));
}

/** Elements below each other, each on its own line; for content that is no running text. */
export function lines(elements: readonly string[]): string {
  return elements.length === 0 ? '' : `\n${elements.join('\n')}\n`;
}

/** A document with its declaration. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** An `xs:dateTime` of a moment in UNIX seconds; what lies outside the years 1970 to 9999 is moved to their edge. */
export function xmlDate(seconds: number): string {
  const moment = new Date(Math.min(Math.max(seconds, 0), 253_402_300_799) * 1000);
  return moment.toISOString().replace('.000Z', 'Z');
}
