/**
 * Parts (segments, chunks, blocks, boxes) of which a file is read here, on the loop: thousands of times what cameras and
 * programs write. A file of millions of empty ones would take gigabytes and seconds; the image library reads it elsewhere.
 */
export const mostParts = 50_000;
