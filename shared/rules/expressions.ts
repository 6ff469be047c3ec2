import { roundDecimals } from './decimals.ts';

/** Limits of an expression: its length in characters, and how deep parentheses and signs may be nested. */
export const expressionLimits = { characters: 500, depth: 20 } as const;

const functions = ['avg', 'min', 'max', 'sum', 'abs', 'round'] as const;
type FunctionName = (typeof functions)[number];

/** An expression as a tree. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'key'; key: string }
  | { kind: 'negative'; of: Expression }
  | { kind: 'operation'; sign: string; left: Expression; right: Expression }
  | { kind: 'call'; name: FunctionName; given: Expression[] };

/** A refusal of an expression. */
class Refusal extends Error {}

/** Whether a name is that of a function, so that no field can have it. */
export function isFunctionName(name: string): name is FunctionName {
  return functions.some((one) => one === name);
}

/**
 * Reads an expression, or says what is wrong with it.
 *
 * - FIELD-7 An expression has numbers such as 2.5, the keys of fields, + - * / and parentheses, and the functions avg, min,
 *   max and sum (of one or more), abs (of one) and round (of a number, to no or up to 8 decimals). It is data that is
 *   walked, never code that runs; it has at most 500 characters and 20 levels.
 */
export function parseExpression(text: string): { expression: Expression } | { message: string } {
  try {
    return { expression: new Parser(text).whole() };
  } catch (error) {
    if (error instanceof Refusal) return { message: error.message };
    throw error;
  }
}

/** An expression for people: each key is replaced by the name that `nameOf` knows. */
export function expressionWords(text: string, nameOf: (key: string) => string | undefined): string {
  return text.replaceAll(/[A-Za-z]\w*/g, (key) => nameOf(key) ?? key);
}

/** The keys that an expression refers to, each once. */
export function keysIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'number':
      return [];
    case 'key':
      return [expression.key];
    case 'negative':
      return keysIn(expression.of);
    case 'operation':
      return [...new Set([...keysIn(expression.left), ...keysIn(expression.right)])];
    case 'call':
      return [...new Set(expression.given.flatMap(keysIn))];
    default:
      return expression satisfies never;
  }
}

/**
 * The result of an expression; undefined while a value is missing, and where there is no finite result, as after a
 * division by zero. `valueOf`: the value of a field by its key.
 */
export function evaluate(
  expression: Expression,
  valueOf: (key: string) => number | undefined,
): number | undefined {
  const result = resultOf(expression, valueOf);
  return result === undefined || !Number.isFinite(result) ? undefined : result;
}

function resultOf(expression: Expression, valueOf: (key: string) => number | undefined): number | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'key':
      return valueOf(expression.key);
    case 'negative': {
      const value = evaluate(expression.of, valueOf);
      return value === undefined ? undefined : -value;
    }
    case 'operation': {
      const left = evaluate(expression.left, valueOf);
      const right = evaluate(expression.right, valueOf);
      return left === undefined || right === undefined ? undefined : operated(expression.sign, left, right);
    }
    case 'call': {
      const given = expression.given.map((one) => evaluate(one, valueOf));
      const known = given.filter((one) => one !== undefined);
      return known.length < given.length ? undefined : called(expression.name, known);
    }
    default:
      return expression satisfies never;
  }
}

function operated(sign: string, left: number, right: number): number {
  if (sign === '+') return left + right;
  if (sign === '-') return left - right;
  return sign === '*' ? left * right : left / right;
}

function called(name: FunctionName, given: number[]): number | undefined {
  const [first = 0, decimals = 0] = given;
  const total = given.reduce((sum, one) => sum + one, 0);
  switch (name) {
    case 'avg':
      return total / given.length;
    case 'min':
      return Math.min(...given);
    case 'max':
      return Math.max(...given);
    case 'sum':
      return total;
    case 'abs':
      return Math.abs(first);
    case 'round':
      return Number.isInteger(decimals) && decimals >= 0 && decimals <= 8
        ? roundDecimals(first, decimals)
        : undefined;
    default:
      return name satisfies never;
  }
}

/** The least and greatest number of values that a function takes. */
const takes: Record<FunctionName, readonly [number, number]> = {
  avg: [1, Infinity],
  min: [1, Infinity],
  max: [1, Infinity],
  sum: [1, Infinity],
  abs: [1, 1],
  round: [1, 2],
};

/** Recursive descent: sum, product, sign, atom. */
class Parser {
  readonly #tokens: string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    if (text.length > expressionLimits.characters)
      throw new Refusal(`the expression has more than ${expressionLimits.characters} characters`);
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const expression = this.#sum();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new Refusal(`the expression has an unexpected "${rest}"`);
    return expression;
  }

  /** The next token if it is one of these. */
  #take(...wanted: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }

  #expect(wanted: string): void {
    if (this.#take(wanted) !== undefined) return;
    const found = this.#tokens[this.#at];
    throw new Refusal(
      found === undefined
        ? `the expression ends where "${wanted}" is expected`
        : `the expression has "${found}" where "${wanted}" is expected`,
    );
  }

  #inside<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > expressionLimits.depth)
      throw new Refusal(`the expression has more than ${expressionLimits.depth} levels`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#product());
  }

  #product(): Expression {
    return this.#chain(['*', '/'], () => this.#signed());
  }

  #chain(signs: string[], read: () => Expression): Expression {
    let left = read();
    for (let sign = this.#take(...signs); sign !== undefined; sign = this.#take(...signs))
      left = { kind: 'operation', sign, left, right: read() };
    return left;
  }

  #signed(): Expression {
    if (this.#take('-') === undefined) return this.#atom();
    return { kind: 'negative', of: this.#inside(() => this.#signed()) };
  }

  #atom(): Expression {
    if (this.#take('(') !== undefined) {
      const inner = this.#inside(() => this.#sum());
      this.#expect(')');
      return inner;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Refusal('the expression ends too early');
    this.#at += 1;
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if (!/^[A-Za-z]/.test(token)) throw new Refusal(`the expression has an unexpected "${token}"`);
    if (this.#take('(') !== undefined) return this.#call(token);
    if (isFunctionName(token)) throw new Refusal(`"${token}" needs values in parentheses`);
    return { kind: 'key', key: token };
  }

  #call(name: string): Expression {
    if (!isFunctionName(name)) throw new Refusal(`there is no function "${name}"`);
    const given = this.#inside(() => {
      const read = [this.#sum()];
      while (this.#take(',') !== undefined) read.push(this.#sum());
      return read;
    });
    this.#expect(')');
    const [least, most] = takes[name];
    if (given.length < least || given.length > most)
      throw new Refusal(`"${name}" takes ${most === 1 ? '1 value' : `at most ${most} values`}`);
    return { kind: 'call', name, given };
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?|[A-Za-z]\w*|[-+*/(),])|(\S))/gy;
  for (const [, token, odd] of text.matchAll(pattern)) {
    if (token === undefined) throw new Refusal(`the expression has an unexpected "${odd ?? ''}"`);
    tokens.push(token);
  }
  return tokens;
}
