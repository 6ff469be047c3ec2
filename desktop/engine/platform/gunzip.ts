import { gunzipSync } from 'fflate';

/** The text of a gzip file. Where there is a native decompressor outside of the page's thread, it is used. */
export async function gunzipText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (typeof Worker === 'undefined') return new TextDecoder().decode(gunzipSync(bytes));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
