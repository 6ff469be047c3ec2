/** A random-access source of bytes: a file, a `Blob`, ranges of an HTTP resource. */
export interface ByteSource {
  /** Number of bytes. */
  readonly size: number;
  /** Reads exactly `length` bytes from `offset`; rejects when they do not exist. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * A sequential sink of bytes: a file, a response, an array in memory. Its promises resolve when it is ready for more.
 */
export interface ByteSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** A source of bytes in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      if (offset < 0 || offset + length > bytes.length) throw new RangeError('Beyond the end of the bytes');
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** A source of a `Blob` or `File`, which is read in pieces. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => {
      if (offset < 0 || offset + length > blob.size) throw new RangeError('Beyond the end of the file');
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}
