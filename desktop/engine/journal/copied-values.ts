/** Values by id; each is copied when it is read, so that a look at one of many costs one copy. */
export class CopiedValues extends Map<string, unknown> {
  constructor(entries: ReadonlyMap<string, { value: unknown }>) {
    super();
    for (const [id, { value }] of entries) this.set(id, value);
  }

  override get(id: string): unknown {
    return structuredClone(super.get(id));
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const id of super.keys()) yield [id, this.get(id)];
  }

  override *values(): MapIterator<unknown> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  override forEach(run: (value: unknown, id: string, map: Map<string, unknown>) => void): void {
    for (const [id, value] of this.entries()) run(value, id, this);
  }
}
