/** Attributes of an element in writing order; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Characters that XML 1.0 cannot represent, not even as references; lone surrogates are replaced before. */
// oxlint-disable-next-line no-control-regex -- the point is to take them out
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes text between tags. Characters that XML cannot represent are dropped. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(impossible, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Escapes the text of an attribute, including tabs and line breaks, which would be read as blanks. */
function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

/** Writes an element around XML content; without content it is self-closing. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let open = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) open += ` ${key}="${xmlAttribute(String(value))}"`;
  }
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** Writes an element that contains only text. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return element(name, attributes, xmlText(text));
}

/** Joins elements, each on its own line; for content without running text. */
export function lines(elements: readonly string[]): string {
  return elements.length === 0 ? '' : `\n${elements.join('\n')}\n`;
}

/** Writes a document with its XML declaration. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** A time in UNIX seconds as `xs:dateTime`; clamped to the years 1970 to 9999. */
export function xmlDate(seconds: number): string {
  const moment = new Date(Math.min(Math.max(seconds, 0), 253_402_300_799) * 1000);
  return moment.toISOString().replace('.000Z', 'Z');
}
