import type { UploadState } from '#shared/sync/uploads.ts';

/** An upload that exists. */
export interface FoundUpload {
  userid: number;
  state: UploadState;
}

/**
 * Where the bytes of unfinished uploads are. What it stores is the only state of an upload. Ids consist of letters,
 * digits, `-` and `_`.
 */
export interface UploadBytes {
  /** People who have uploads. */
  people(): Promise<number[]>;
  /** The uploads of a person; `only`: only the one with this id. */
  list(userid: number, only?: string): Promise<FoundUpload[]>;
  /** Begins an empty upload of `size` bytes, which does not exist yet. */
  begin(userid: number, id: string, size: number): Promise<void>;
  /**
   * Appends pieces. If `pieces` fails, those before are stored. Resolves when they would survive a power loss.
   * @throws what `pieces` throws
   */
  append(upload: FoundUpload, pieces: AsyncIterable<Buffer>): Promise<void>;
  /** All bytes that arrived. */
  read(upload: FoundUpload): Promise<Buffer>;
  remove(upload: FoundUpload): Promise<void>;
  /** Free space, bytes. */
  freeBytes(): Promise<number>;
}
