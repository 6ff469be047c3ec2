/**
 * What a file of the suite is. `valid`: nothing is reported. `advice`: valid by the standard, against its advice.
 * `invalid`: it breaks the standard; a reader may still use it. `refused`: a reader must use nothing of it.
 */
export type Verdict = 'valid' | 'advice' | 'invalid' | 'refused';

/** A file of the suite with what a checker must report. */
export interface ConformanceCase {
  /** Name of the file, without its ending. */
  name: string;
  /** What is special about it, for people. */
  about: string;
  /** Ids of the rules in `formats/omanual/README.md` that it tests. */
  rules: readonly string[];
  verdict: Verdict;
  /** All codes that are reported, each once, in alphabetical order. */
  codes: readonly string[];
  /** The bytes of a package, or the text of a lone document. */
  content: Uint8Array<ArrayBuffer> | string;
}

/** Makes cases of one verdict and rule from rows of name, explanation, code and content. */
export function casesOf(
  verdict: Verdict,
  rule: string,
  rows: readonly (readonly [
    name: string,
    about: string,
    code: string | readonly string[],
    content: ConformanceCase['content'],
  ])[],
): ConformanceCase[] {
  return rows.map(([name, about, code, content]) => ({
    name,
    about,
    rules: [rule],
    verdict,
    codes: typeof code === 'string' ? [code] : code,
    content,
  }));
}
