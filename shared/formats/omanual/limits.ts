/** The limits above which a reader refuses an archive. */
export interface ReadLimits {
  /** Number of members in the package, including folders. */
  members: number;
  /** Total size of all unpacked members in bytes. */
  totalBytes: number;
  /** Unpacked bytes for each packed byte, for members of more than a megabyte and for the package as a whole. */
  ratio: number;
  /** Size of an XML document or round-trip member in bytes. */
  documentBytes: number;
  /** Nesting depth of elements. */
  depth: number;
  /** Elements, texts and attributes of one document; about a tenth of them are lines. */
  nodes: number;
  /** The same for the index of a package that has one. */
  indexNodes: number;
  /** Characters of one text or tag of a document. */
  run: number;
  /** Namespace prefixes in scope at one point of a document. */
  namespaces: number;
  /** Findings in the report; if there are more, the last one says so. */
  findings: number;
}

/** Limits under which an archive of 1 GB needs less than 200 MB of memory. */
export const readLimits: ReadLimits = {
  members: 150_000,
  totalBytes: 64 * 1024 ** 3,
  ratio: 200,
  documentBytes: 16 * 1024 ** 2,
  depth: 64,
  nodes: 120_000,
  // A guide in an index has 18.
  indexNodes: 480_000,
  run: 1024 ** 2,
  namespaces: 100,
  findings: 20_000,
};
