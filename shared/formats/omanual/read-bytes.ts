import type { PackageFiles } from './package-files.ts';
import { requireClaimed } from './read-media.ts';
import { pieceSize } from './zip-reader.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Number of first bytes by which the type of a file is recognised. */
const toldBy = 64;

/** The bytes of a member as a stream. Throws ArchiveRefused if its first bytes are not what its name claims. */
export async function mediaStream(
  files: Pick<PackageFiles, 'size' | 'bytes' | 'pieces' | 'head'>,
  member: string,
): Promise<ReadableStream<Bytes>> {
  if (files.size(member) <= pieceSize) return streamOf(await mediaBytes(files, member, pieceSize));
  const pieces = files.pieces(member)[Symbol.asyncIterator]();
  let first = await pieces.next();
  const start = first.done === true ? new Uint8Array(0) : first.value;
  const isTold = start.length >= Math.min(toldBy, files.size(member));
  requireClaimed(member, isTold ? start : await files.head(member, toldBy), null);
  return new ReadableStream<Bytes>(
    {
      pull: async (controller) => {
        const next = first;
        if (next.done === true) {
          controller.close();
          return;
        }
        controller.enqueue(next.value);
        first = await pieces.next();
        if (first.done === true) controller.close();
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  );
}

/** The same as a whole, of at most `most` bytes. */
export async function mediaBytes(
  files: Pick<PackageFiles, 'bytes'>,
  member: string,
  most: number,
): Promise<Bytes> {
  const bytes = await files.bytes(member, most);
  requireClaimed(member, bytes.subarray(0, toldBy), null);
  return bytes;
}

/** A stream of one piece, for small files. */
function streamOf(bytes: Bytes): ReadableStream<Bytes> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
