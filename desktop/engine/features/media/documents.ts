import type { DocumentRef } from '#shared/model/guide.ts';

/** Key of a document's bytes in the store. */
export function documentKey(guid: string): string {
  return `document:${guid}`;
}

/** A file of the media manager as a guide names it; the server writes its own in its place when the guide is saved. */
export function documentOf(file: { documentid: number; guid: string; filename: string }): DocumentRef {
  const { documentid, guid, filename } = file;
  const [, name = filename, extension = ''] = /^(.+)\.([^.]+)$/.exec(filename) ?? [];
  const url = `/Document/${guid}/${encodeURIComponent(filename)}`;
  return {
    documentid,
    guid,
    text: name,
    extension: extension.toLowerCase(),
    icon: '',
    url,
    download_url: url,
  };
}
