declare const ofType: unique symbol;

/** A response body that is JSON text already, of a value of type `T`. It is sent as it is. */
export class JsonText<T> {
  declare readonly [ofType]: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value, parsed. */
  get value(): T {
    return JSON.parse(this.text) as T;
  }
}
