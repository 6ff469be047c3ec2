import { handMadeZip } from './hand-made-zip.ts';

/** A small 1.0 guide with `extra` inside. */
export function guideDocument(extra = '', attributes = 'locale="en"'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<guide xmlns="http://omanual.com/" ${attributes}><title subject="Belt" type="repair">Change the belt</title><image/><author>Ana</author><introduction/><tools/><parts/><flags/><documents/><prerequisites/>${extra}<modified_date>2024-02-03T04:05:06Z</modified_date><created_date>2024-01-02T03:04:05Z</created_date></guide>`;
}

/** A step of a guide document. */
export function stepDocument(lines: string, media = ''): string {
  return `<steps><step number="1"><lines>${lines}</lines>${media}</step></steps>`;
}

/** A 1.0 index with `entries` as its guides. */
export function indexDocument(entries: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<category xmlns="http://omanual.com/" locale="en"><title>Bench Grinder</title><category_info>Bench Grinder</category_info><image/><description/><flags/><ancestors/><children/><solutions count="0" url=""/><parts/><tools/><contents/><guides>${entries}</guides><documents/></category>`;
}

/** An entry of an index. */
export function indexEntry(id: number, path: string): string {
  return `<guide id="${id}" subject="Belt" type="repair"><title>Change the belt</title><url/><path>${path}</path><image/></guide>`;
}

/** A package with a guide and the given files. */
export function packageWith(files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  return handMadeZip(Object.entries(files).map(([name, content]) => ({ name, content, deflate: true })));
}

/** A PNG of one pixel with the name in its text, so that each picture has different bytes. */
export function pictureBytes(name: string): Uint8Array<ArrayBuffer> {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  return Uint8Array.from(Buffer.concat([png, Buffer.from(name)]));
}
