import { SaxesParser } from 'saxes';

/** Limits of an identity provider's answer. An answer with three hundred groups of a person stays below them. */
export interface ResponseBounds {
  /** Bytes of its XML. */
  bytes: number;
  /** Elements, comments, processing instructions and CDATA sections. */
  nodes: number;
  /** Attributes, including namespaces. */
  attributes: number;
  /** Namespaces in scope. Each is checked again for each element. */
  namespaces: number;
  depth: number;
  /** One signature of the answer and one of the assertion, each with one reference and two transforms. */
  signatures: number;
  references: number;
  transforms: number;
}

export const responseBounds: Readonly<ResponseBounds> = {
  bytes: 64 * 1024,
  nodes: 1200,
  attributes: 2500,
  namespaces: 40,
  depth: 32,
  signatures: 2,
  references: 2,
  transforms: 4,
};

/**
 * Checks a raw answer (base64) before the SAML library reads it. Throws an error that names the exceeded limit, or says
 * that the answer is not XML.
 *
 * - SIGN-ON-15 Anyone can submit an answer, and the time that a library needs to check it grows with the square of its
 *   elements. It is therefore read once as it arrives, and refused if it has more than 64 KB of XML, 1,200 elements
 *   (comments and the like count), 2,500 attributes, 40 namespaces in scope, 32 levels, or two signatures with one
 *   reference and two transforms each. An answer with three hundred groups of a person stays below these limits; the
 *   log says which limit was exceeded.
 */
export function checkResponse(SAMLResponse: string, bounds: ResponseBounds): void {
  const bytes = Buffer.from(SAMLResponse, 'base64');
  if (bytes.length > bounds.bytes)
    throw new Error(`The answer has ${bytes.length} bytes; the limit is ${bounds.bytes}`);
  const counts = new Counts(bounds);
  /** Number of namespaces that each open element declares. */
  const open: number[] = [];
  let declared = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });
  const countNode = (): void => counts.add('nodes');
  parser.on('doctype', () => {
    throw new Error('The answer has a document type');
  });
  parser.on('error', (error) => {
    throw new Error(`The answer is not XML: ${error.message.slice(0, 200)}`);
  });
  parser.on('opentagstart', ({ name }) => {
    counts.add('nodes');
    const kind = kinds.get(name.slice(name.indexOf(':') + 1));
    if (kind !== undefined) counts.add(kind);
    open.push(0);
    counts.keep('depth', open.length);
  });
  parser.on('attribute', ({ name }) => {
    counts.add('attributes');
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) return;
    open.push((open.pop() ?? 0) + 1);
    declared += 1;
    counts.keep('namespaces', declared);
  });
  parser.on('closetag', () => {
    declared -= open.pop() ?? 0;
  });
  parser.on('comment', countNode);
  parser.on('processinginstruction', countNode);
  parser.on('cdata', countNode);
  parser.write(bytes.toString('utf8')).close();
}

type Counted = Exclude<keyof ResponseBounds, 'bytes'>;

/** Counted elements by local name, in any namespace. */
const kinds: ReadonlyMap<string, Counted> = new Map([
  ['Signature', 'signatures'],
  ['Reference', 'references'],
  ['Transform', 'transforms'],
]);

const names: Readonly<Record<Counted, string>> = {
  nodes: 'elements',
  attributes: 'attributes',
  namespaces: 'namespaces at one place',
  depth: 'levels of elements',
  signatures: 'signatures',
  references: 'references of signatures',
  transforms: 'transforms of signatures',
};

class Counts {
  readonly #bounds: ResponseBounds;
  readonly #counts = new Map<Counted, number>();

  constructor(bounds: ResponseBounds) {
    this.#bounds = bounds;
  }

  add(what: Counted): void {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    this.keep(what, count);
  }

  /** Throws if a limit is exceeded. */
  keep(what: Counted, count: number): void {
    const most = this.#bounds[what];
    if (count > most) throw new Error(`The answer has more than ${most} ${names[what]}`);
  }
}
