/** Escapes text for use between tags and in attributes with double quotes. Most texts need no change. */
export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** HTML that is safe to write without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | readonly Html[];

/**
 * Template tag that builds HTML. Inserted values are escaped unless they are `Html`. Null and empty lists insert
 * nothing.
 */
export function safe(parts: TemplateStringsArray, ...values: Value[]): Html {
  const [first = '', ...rest] = parts;
  return new Html(first + rest.map((part, index) => written(values[index] ?? null) + part).join(''));
}

/** Marks a text as HTML that its producer has already escaped. */
export function trusted(text: string): Html {
  return new Html(text);
}

export const nothing = new Html('');

function written(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
