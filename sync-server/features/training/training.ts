import { Problem } from '#shared/api/problem.ts';

import type { TrainingFiles } from './files.ts';
import type { ModuleOrigins } from './origins.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Files of training modules, and where their player is. */
    training: Training;
  }
}

/** Files of modules, and where each is played: at its own origin, never at that of the app. */
export class Training {
  readonly files: TrainingFiles;
  #origins: ModuleOrigins | null = null;

  constructor(files: TrainingFiles) {
    this.files = files;
  }

  playsAt(origins: ModuleOrigins): void {
    this.#origins = origins;
  }

  /** Throws 503 while no player is running. */
  get origins(): ModuleOrigins {
    if (this.#origins === null) throw new Problem('unavailable', 'The module player is not running');
    return this.#origins;
  }
}
