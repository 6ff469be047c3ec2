import { parseAst } from 'vite';

/** Functions, errors, variables and fields of the sources that take sentences for people. */
export interface Speakers {
  calls: readonly string[];
  names: readonly string[];
}

/**
 * The sentences that a source hands to `speakers`, as they are written there: `{}` for each value. Sentences within a value
 * come on their own.
 */
export function saidSentences(source: string, speakers: Speakers): string[] {
  const found: string[] = [];
  const visit = (node: unknown, isSaid: boolean): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, isSaid);
    else if (typeof node === 'object' && node !== null) {
      const parts = new Map<string, unknown>(Object.entries(node));
      const says = isSaid || isSpeaker(parts, speakers);
      const words = isSaid ? wordsOf(parts) : null;
      if (words !== null && / /.test(words.trim())) found.push(words);
      for (const part of parts.values()) visit(part, says);
    }
  };
  visit(parseAst(source, { lang: 'ts' }).body, false);
  return found;
}

function isSpeaker(parts: ReadonlyMap<string, unknown>, { calls, names }: Speakers): boolean {
  switch (parts.get('type')) {
    case 'CallExpression':
    case 'NewExpression':
      return calls.includes(nameOf(parts.get('callee')));
    case 'VariableDeclarator':
      return names.includes(nameOf(parts.get('id')));
    case 'Property':
      return names.includes(nameOf(parts.get('key')));
    default:
      return false;
  }
}

/** The name of an identifier, or the last one of `a.b.c`; '' for anything else. */
function nameOf(node: unknown): string {
  const parts = new Map<string, unknown>(Object.entries(Object(node)));
  const name = parts.get('name');
  return typeof name === 'string' ? name : parts.has('property') ? nameOf(parts.get('property')) : '';
}

function wordsOf(parts: ReadonlyMap<string, unknown>): string | null {
  const value = parts.get('value');
  if (parts.get('type') === 'Literal') return typeof value === 'string' ? value : null;
  const quasis = parts.get('quasis');
  if (parts.get('type') !== 'TemplateLiteral' || !Array.isArray(quasis)) return null;
  return quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked).join('{}');
}
