import type { ServerFiles } from './server-files.ts';

/** A planned crash right after a commit. The server runs on; the files of that moment are kept for its next start. */
export class ServerCrash {
  readonly #files: ServerFiles;
  /** Commits until the server crashes; null: it does not. */
  #commitsLeft: number | null = null;
  #hasSnapshot = false;

  constructor(files: ServerFiles) {
    this.#files = files;
  }

  /** The server crashes after this many commits, null: not. */
  plan(commits: number | null): void {
    this.#commitsLeft = commits;
  }

  /** The server has committed. */
  committed(): void {
    if (this.#commitsLeft === null) return;
    this.#commitsLeft -= 1;
    if (this.#commitsLeft > 0 || this.#hasSnapshot) return;
    this.#hasSnapshot = true;
    this.#files.takeSnapshot();
  }

  /** Ends the plan; whether the crash happened, so that the files of that moment must be restored. */
  end(): boolean {
    this.#commitsLeft = null;
    const hasCrashed = this.#hasSnapshot;
    this.#hasSnapshot = false;
    return hasCrashed;
  }
}
