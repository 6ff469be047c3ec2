/**
 * Maximum number of parts (segments, chunks, blocks, boxes) of a file that are parsed on the event loop: thousands of
 * times what cameras and programs write. A file with millions of empty parts would take gigabytes and seconds.
 *
 * - MEDIA-14 Only as many parts of a picture or video are parsed on the event loop as real programs write. A picture
 *   with more is left to the image library, which has threads of its own.
 */
export const mostParts = 50_000;
