import { BehaviorSubject, combineLatest, map, type Observable } from 'rxjs';

/** Progress of work on an archive, in bytes while fetching, in guides while reading. */
export interface ArchiveProgress {
  done: number;
  total: number;
}

/** The state of the work on an archive. */
export interface ArchiveWork {
  /** Size of the part of its file that is on this device, bytes. */
  kept: number;
  progress: ArchiveProgress | null;
}

/** Progress of the work on archives. It is in memory only. */
export class ArchiveProgressTracker {
  readonly #progress = new BehaviorSubject<ReadonlyMap<string, ArchiveProgress>>(new Map());
  readonly #sizes = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());

  /** Gives the work by archiveid; emits the present state first. */
  get all(): Observable<(archiveid: string) => ArchiveWork> {
    return combineLatest([this.#progress, this.#sizes]).pipe(
      map(([progress, sizes]) => (archiveid: string) => ({
        kept: sizes.get(archiveid) ?? 0,
        progress: progress.get(archiveid) ?? null,
      })),
    );
  }

  /** Sets the progress of an archive; null: there is no work on it. */
  progress(archiveid: string, progress: ArchiveProgress | null): void {
    const next = new Map(this.#progress.value);
    if (progress === null) next.delete(archiveid);
    else next.set(archiveid, progress);
    this.#progress.next(next);
  }

  /** Sets how many bytes of an archive's file are on this device. */
  size(archiveid: string, bytes: number): void {
    this.#sizes.next(new Map(this.#sizes.value).set(archiveid, bytes));
  }
}
