/** Serial or lot numbers from text: one on each line, or separated by commas or semicolons. */
export function readSerials(words: string): string[] {
  return words
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
