import { SaxesParser } from 'saxes';

import { groupedBy } from '#shared/grouped-by.ts';

import { ArchiveRefused } from './archive.ts';
import type { ReadLimits } from './limits.ts';
import { nameOf, xmlDecoder } from './xml-decoding.ts';

/** An element of a document. */
export interface XmlElement {
  /** Local name, without prefix. */
  readonly name: string;
  /** '' without a namespace. */
  readonly namespace: string;
  /** Attributes by full name, including `xmlns`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
  readonly parent: XmlElement | null;
  /** Position of its tag, from 1. */
  readonly line: number;
  readonly column: number;
}

/** An element, or text between elements. */
export type XmlNode = XmlElement | string;

/** Characters that are parsed before the length of a text is checked. */
const sliceLength = 64 * 1024;

const noAttributes: ReadonlyMap<string, string> = new Map();
const noPrefixes: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

/**
 * Parses a document to a tree. Throws ArchiveRefused when it is not well-formed, has a DOCTYPE or an entity, or exceeds
 * the limits. Comments and processing instructions are left out.
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  member: string,
  limits: ReadLimits,
): Promise<XmlElement> {
  const builder = new TreeBuilder(member, limits);
  let decoder: TextDecoder | null = null;
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > limits.documentBytes)
      throw new ArchiveRefused(
        'too-large',
        member,
        `${nameOf(member)} has more than ${limits.documentBytes} bytes.`,
      );
    decoder ??= xmlDecoder(piece, member);
    builder.write(decoded(decoder, piece, member));
  }
  if (decoder !== null) builder.write(decoded(decoder, undefined, member));
  return builder.end();
}

function decoded(decoder: TextDecoder, piece: Uint8Array | undefined, member: string): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ArchiveRefused(
      'xml-encoding',
      member,
      `${nameOf(member)} is not valid ${decoder.encoding.toUpperCase()}.`,
    );
  }
}

interface Open {
  element: XmlElement;
  prefixes: ReadonlyMap<string, string>;
}

class TreeBuilder {
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #member: string;
  readonly #limits: ReadLimits;
  readonly #open: Open[] = [];
  #root: XmlElement | null = null;
  #at = { line: 1, column: 1 };
  #nodes = 0;
  /** Characters since the last tag or text, to the length of a slice. */
  #run = 0;

  constructor(member: string, limits: ReadLimits) {
    this.#member = member;
    this.#limits = limits;
    const parser = this.#parser;
    parser.on('doctype', () => this.#refuse('doctype', 'has a DOCTYPE'));
    parser.on('error', (error) => this.#refuseBroken(error.message));
    parser.on('opentagstart', ({ name }) => {
      this.#at = { line: parser.line, column: Math.max(1, parser.columnIndex - name.length) };
    });
    // Counted as they arrive, because one element may have more than fit in memory.
    parser.on('attribute', () => this.#count(1));
    parser.on('opentag', ({ name, attributes }) => this.#start(name, attributes));
    parser.on('closetag', () => void this.#open.pop());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
  }

  /** In slices, because the parser holds a text until its end, at a hundred bytes for each reference in it. */
  write(text: string): void {
    for (let at = 0; at < text.length; at += sliceLength) {
      const slice = text.slice(at, at + sliceLength);
      this.#parser.write(slice);
      this.#run += slice.length;
      if (this.#run > this.#limits.run + sliceLength)
        this.#refuse('too-large', 'has a text that is too long');
    }
  }

  end(): XmlElement {
    this.#parser.close();
    return this.#root ?? this.#refuse('xml', 'is empty');
  }

  #start(fullName: string, attributes: Record<string, string>): void {
    const parent = this.#open.at(-1);
    const written = attributesOf(attributes);
    this.#count(1);
    if (this.#open.length >= this.#limits.depth) this.#refuse('too-deep', 'nests elements too deep');
    const prefixes = prefixesOf(written, parent?.prefixes ?? noPrefixes);
    if (prefixes.size > this.#limits.namespaces) this.#refuse('too-large', 'has too many namespaces');
    const colon = fullName.lastIndexOf(':');
    const element: XmlElement = {
      name: fullName.slice(colon + 1),
      namespace: prefixes.get(fullName.slice(0, Math.max(0, colon))) ?? '',
      attributes: written,
      children: [],
      parent: parent?.element ?? null,
      ...this.#at,
    };
    this.#root ??= element;
    parent?.element.children.push(element);
    this.#open.push({ element, prefixes });
  }

  #text(text: string): void {
    const children = this.#open.at(-1)?.element.children;
    if (children === undefined || text === '') return;
    const last = children.length - 1;
    const before = children[last];
    if (typeof before === 'string') children[last] = before + text;
    else {
      this.#count(1);
      children.push(text);
    }
  }

  #count(nodes: number): void {
    this.#run = 0;
    this.#nodes += nodes;
    if (this.#nodes > this.#limits.nodes) this.#refuse('too-large', 'has too many elements');
  }

  /** Refuses a document that is not well-formed. An undefined entity could only come from a DOCTYPE. */
  #refuseBroken(message: string): never {
    const text = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (/entity/i.test(text)) this.#refuse('entity', 'uses an entity that XML does not know');
    return this.#refuse('xml', `is not well-formed (${text.slice(0, 200)})`);
  }

  #refuse(code: string, what: string): never {
    const { line, columnIndex } = this.#parser;
    const place = `line ${line}, column ${columnIndex + 1}`;
    throw new ArchiveRefused(code, this.#member, `${nameOf(this.#member)} ${what} (${place}).`);
  }
}

function attributesOf(written: Record<string, string>): ReadonlyMap<string, string> {
  const pairs = Object.entries(written);
  return pairs.length === 0 ? noAttributes : new Map(pairs);
}

function prefixesOf(
  attributes: ReadonlyMap<string, string>,
  around: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const declared = [...attributes].filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return around;
  return new Map([...around, ...declared.map(([name, uri]): [string, string] => [name.slice(6), uri])]);
}

/** The child elements, in any namespace; only those of `name` if it is given. */
export function elementsIn(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element.children)
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  return found;
}

/** The first child element of this name. */
export function elementIn(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (typeof child !== 'string' && child.name === name) return child;
  return undefined;
}

/** All text inside an element, unchanged. */
export function textIn(element: XmlElement): string {
  let text = '';
  for (const child of element.children) text += typeof child === 'string' ? child : textIn(child);
  return text;
}

/**
 * The place of an element: `guide/steps/step[3]/lines/line[2] (12:5)`, the path from the root, with numbers among equal
 * names.
 */
export function placeOf(element: XmlElement): string {
  const path: string[] = [];
  for (let one: XmlElement | null = element; one !== null; one = one.parent)
    path.unshift(one.parent === null ? one.name : (labelsIn(one.parent).get(one) ?? one.name));
  return `${path.join('/')} (${element.line}:${element.column})`;
}

const labels = new WeakMap<XmlElement, ReadonlyMap<XmlElement, string>>();

/** The labels of child elements in places. Cached, because a document with many findings needs them again and again. */
function labelsIn(parent: XmlElement): ReadonlyMap<XmlElement, string> {
  const known = labels.get(parent);
  if (known !== undefined) return known;
  const alike = groupedBy(elementsIn(parent), ({ name }) => name);
  const made = new Map(
    [...alike].flatMap(([name, all]) =>
      all.map((one, index): [XmlElement, string] => [one, all.length > 1 ? `${name}[${index + 1}]` : name]),
    ),
  );
  labels.set(parent, made);
  return made;
}
