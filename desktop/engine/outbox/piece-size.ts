/** Bytes of the first piece, and of those after the way broke often. */
const smallest = 64 * 1024;
/** Larger pieces save little, and proxies refuse bodies of more than 1 MB. */
const largest = 512 * 1024;
/** What one piece may be of the whole: a piece can be lost as a whole. */
const mostOfWhole = 1 / 32;

/**
 * How many bytes of a file are sent at once. A piece whose answer is lost may have to be sent again, so pieces begin
 * small, grow while they arrive, and stay smaller after each that did not.
 */
export class PieceSize {
  #most: number;
  #bytes = smallest;

  /** `total`: bytes of the whole file. `atMost`: bytes of the largest piece. */
  constructor(total: number, atMost = largest) {
    this.#most = Math.max(smallest, Math.min(atMost, Math.floor(total * mostOfWhole)));
  }

  get bytes(): number {
    return this.#bytes;
  }

  arrived(): void {
    this.#bytes = Math.min(this.#most, this.#bytes * 2);
  }

  lost(): void {
    this.#most = Math.max(smallest, Math.floor(this.#most / 2));
    this.#bytes = smallest;
  }
}
