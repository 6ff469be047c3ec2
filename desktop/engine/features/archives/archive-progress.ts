import { BehaviorSubject, combineLatest, map, type Observable } from 'rxjs';

/** How far work on an archive is; bytes while fetching, guides while reading. */
export interface ArchiveProgress {
  done: number;
  total: number;
}

/** What a look at an archive's work shows. */
export interface ArchiveWork {
  /** As many bytes of its file as are on this device. */
  kept: number;
  progress: ArchiveProgress | null;
}

/** How far the work on archives is, as long as the app is open. */
export class ArchiveProgressTracker {
  readonly #progress = new BehaviorSubject<ReadonlyMap<string, ArchiveProgress>>(new Map());
  readonly #sizes = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());

  /** Emits the present ones first. */
  get all(): Observable<(archiveid: string) => ArchiveWork> {
    return combineLatest([this.#progress, this.#sizes]).pipe(
      map(([progress, sizes]) => (archiveid: string) => ({
        kept: sizes.get(archiveid) ?? 0,
        progress: progress.get(archiveid) ?? null,
      })),
    );
  }

  /** Null: there is no work on it. */
  progress(archiveid: string, progress: ArchiveProgress | null): void {
    const next = new Map(this.#progress.value);
    if (progress === null) next.delete(archiveid);
    else next.set(archiveid, progress);
    this.#progress.next(next);
  }

  /** So much of its file is here. */
  size(archiveid: string, bytes: number): void {
    this.#sizes.next(new Map(this.#sizes.value).set(archiveid, bytes));
  }
}
