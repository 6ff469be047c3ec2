import { Problem } from '#shared/api/problem.ts';

import type { TrainingFiles } from './files.ts';

/** Files of modules, and where their player listens: an origin of its own, so that modules never share the app's. */
export class Training {
  readonly files: TrainingFiles;
  readonly #origin: string | null;
  #port: number | null = null;

  /** `origin`: how browsers reach the player, when that is not its port on the host of the API. */
  constructor(files: TrainingFiles, origin: string | null) {
    this.files = files;
    this.#origin = origin;
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  /** The origin of the player for a caller who reached the API at `baseUrl`. */
  originFor(baseUrl: string): string {
    if (this.#origin !== null) return this.#origin;
    if (this.#port === null) throw new Problem('unavailable', 'The player of modules is not running');
    const url = new URL(baseUrl);
    url.port = String(this.#port);
    return url.origin;
  }
}
