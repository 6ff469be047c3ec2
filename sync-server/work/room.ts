/** Memory, or anything else of which there is so much, handed out in the order in which it is asked for. */
export class Room {
  readonly #all: number;
  #free: number;
  readonly #waiting: { size: number; start: () => void }[] = [];

  constructor(all: number) {
    this.#all = all;
    this.#free = all;
  }

  /** Waits until there is room for `size`; gives it back when it is disposed of. What is larger than all takes all. */
  async take(size: number): Promise<Disposable> {
    const taken = Math.min(size, this.#all);
    if (this.#waiting.length > 0 || taken > this.#free)
      await new Promise<void>((start) => this.#waiting.push({ size: taken, start }));
    else this.#free -= taken;
    return { [Symbol.dispose]: () => this.#giveBack(taken) };
  }

  #giveBack(size: number): void {
    this.#free += size;
    for (
      let next = this.#waiting[0];
      next !== undefined && next.size <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.size;
      next.start();
    }
  }
}
