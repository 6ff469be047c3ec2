import type { DocumentRef } from '#shared/model/guide.ts';

/** Key of a document in the media store. */
export function documentKey(guid: string): string {
  return `document:${guid}`;
}

/**
 * A document in the form in which a guide names it. When the guide is saved, the server replaces it by its own form.
 */
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
