const prefix = 'archive:';

/** How views and screens name a guide of an archive: its place in the index of that archive. */
export function archivedGuideId(archiveid: string, place: number): string {
  return `${prefix}${archiveid}:${place}`;
}

/** The archive and the place that a guide's id names; null for a guide of the library. */
export function archivedGuide(guideid: string): { archiveid: string; place: number } | null {
  const parts = guideid.startsWith(prefix) ? guideid.slice(prefix.length).split(':') : [];
  const [archiveid, place] = parts;
  return archiveid === undefined || place === undefined ? null : { archiveid, place: Number(place) };
}

/** What names a file of an archive: the place of a guide that shows it, or the categories. */
export type FilePlace = number | 'categories';

/** A file of an archive, as what shows it names it. */
export interface ArchivedFile {
  archiveid: string;
  place: FilePlace;
  guid: string;
}

/** How views name a picture, video or document of an archive. */
export function archivedFileId({ archiveid, place, guid }: ArchivedFile): string {
  return `${prefix}${archiveid}:${place}:${guid}`;
}

/** The file of an archive that an id names; null for a file of the library. */
export function archivedFile(id: string): ArchivedFile | null {
  const [, archiveid, place, guid] = /^archive:([^:]+):(\d+|categories):(.*)$/s.exec(id) ?? [];
  if (archiveid === undefined || place === undefined || guid === undefined) return null;
  return { archiveid, place: place === 'categories' ? place : Number(place), guid };
}

/** What texts of an archive put as the address of a picture: no page has it, views resolve it. */
export function archivedFileAddress({ archiveid, place, guid }: ArchivedFile): string {
  return `/archives/${archiveid}/files/${place}/${encodeURIComponent(guid)}`;
}

/** The name by which views know the file of an `archivedFileAddress`; null for every other address. */
export function archivedFileAt(address: string): string | null {
  const [, archiveid, place, guid] =
    /^\/archives\/([^/]+)\/files\/(\d+|categories)\/([^/]+)$/.exec(address) ?? [];
  return archiveid === undefined || place === undefined || guid === undefined
    ? null
    : `${prefix}${archiveid}:${place}:${decodeURIComponent(guid)}`;
}
