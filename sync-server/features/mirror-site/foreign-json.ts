/** Deeper nesting is refused, because it would overflow the stack of what reads it. */
const deepest = 256;

/** Escapes of NUL and of halves of surrogate pairs. */
const unsound = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON of another site. Characters that no database stores are left out: NUL, and halves of surrogate pairs.
 * @throws SyntaxError if it is not JSON, or nested too deeply
 */
export function parseForeignJson(text: string): unknown {
  if (depthOf(text) > deepest) throw new SyntaxError('The answer is nested too deeply');
  if (!unsound.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => sound(value));
}

/** A text, or the names in an object, without what no database stores. */
function sound(value: unknown): unknown {
  if (typeof value === 'string') return soundText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [soundText(name), one as unknown]));
}

function soundText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') {
      depth += 1;
      most = Math.max(most, depth);
    } else if (token === '}' || token === ']') depth -= 1;
  }
  return most;
}
