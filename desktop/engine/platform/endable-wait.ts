import type { Environment } from './ports.ts';

/** A wait that can be ended early. One at a time. */
export class EndableWait {
  readonly #environment: Pick<Environment, 'setTimer'>;
  #end: () => void = () => undefined;

  constructor(environment: Pick<Environment, 'setTimer'>) {
    this.#environment = environment;
  }

  /** Resolves after `ms`, or when the wait is ended; null: only then. */
  for(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === null ? () => undefined : this.#environment.setTimer(resolve, ms);
      this.#end = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Ends the present wait. */
  end(): void {
    this.#end();
  }
}
