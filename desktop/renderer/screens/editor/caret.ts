/** Where the caret goes as soon as a line is there: after it was added or moved. */
export class CaretRequest {
  #wanted: { line: string; at: 'start' | 'end' } | null = null;

  ask(line: string, at: 'start' | 'end'): void {
    this.#wanted = { line, at };
  }

  /** The request for this line, once. */
  take(line: string): 'start' | 'end' | null {
    if (this.#wanted?.line !== line) return null;
    const { at } = this.#wanted;
    this.#wanted = null;
    return at;
  }
}
