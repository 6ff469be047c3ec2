/** Bytes that can be read from anywhere: a file, a `Blob`, a range of an HTTP resource. */
export interface ByteSource {
  /** How many bytes there are. */
  readonly size: number;
  /** Exactly `length` bytes from `offset`; rejects when they are not there. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Takes bytes one after another: a file, a response, an array in memory. A promise resolves when more may come. */
export interface ByteSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Bytes that are already in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      if (offset < 0 || offset + length > bytes.length) throw new RangeError('Beyond the end of the bytes');
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** A `Blob` or `File`: read piece by piece, never as a whole. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => {
      if (offset < 0 || offset + length > blob.size) throw new RangeError('Beyond the end of the file');
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}
