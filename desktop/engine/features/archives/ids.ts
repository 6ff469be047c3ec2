const prefix = 'archive:';

/** The id of a guide of an archive in views and screens. `place`: its position in the index of the archive. */
export function archivedGuideId(archiveid: string, place: number): string {
  return `${prefix}${archiveid}:${place}`;
}

/** The archive and position in an id; null for a guide of the library. */
export function archivedGuide(guideid: string): { archiveid: string; place: number } | null {
  const parts = guideid.startsWith(prefix) ? guideid.slice(prefix.length).split(':') : [];
  const [archiveid, place] = parts;
  return archiveid === undefined || place === undefined ? null : { archiveid, place: Number(place) };
}

/** Where a file of an archive is listed: at the guide in this position of the index, or at the categories. */
export type FileOwner = number | 'categories';

/** A file of an archive, by the guide or categories that show it. */
export interface ArchivedFile {
  archiveid: string;
  place: FileOwner;
  guid: string;
}

/** The id of a picture, video or document of an archive in views. */
export function archivedFileId({ archiveid, place, guid }: ArchivedFile): string {
  return `${prefix}${archiveid}:${place}:${guid}`;
}

/** The file of an archive in an id; null for a file of the library. */
export function archivedFile(id: string): ArchivedFile | null {
  const [, archiveid, place, guid] = /^archive:([^:]+):(\d+|categories):(.*)$/s.exec(id) ?? [];
  if (archiveid === undefined || place === undefined || guid === undefined) return null;
  return { archiveid, place: place === 'categories' ? place : Number(place), guid };
}

/** The address of a picture in texts of an archive. No page exists there; views resolve it. */
export function archivedFileAddress({ archiveid, place, guid }: ArchivedFile): string {
  return `/archives/${archiveid}/files/${place}/${encodeURIComponent(guid)}`;
}

/** The file id of an `archivedFileAddress`; null for every other address. */
export function archivedFileAt(address: string): string | null {
  const [, archiveid, place, guid] =
    /^\/archives\/([^/]+)\/files\/(\d+|categories)\/([^/]+)$/.exec(address) ?? [];
  return archiveid === undefined || place === undefined || guid === undefined
    ? null
    : `${prefix}${archiveid}:${place}:${decodeURIComponent(guid)}`;
}
