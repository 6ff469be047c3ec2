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

/** How views name a picture, video or document of an archive. */
export function archivedFileId(archiveid: string, guid: string): string {
  return `${prefix}${archiveid}:${guid}`;
}

/** The archive and its own name of a file; null for a file of the library. */
export function archivedFile(guid: string): { archiveid: string; guid: string } | null {
  if (!guid.startsWith(prefix)) return null;
  const at = guid.indexOf(':', prefix.length);
  return at < 0 ? null : { archiveid: guid.slice(prefix.length, at), guid: guid.slice(at + 1) };
}

/** What texts of an archive put as the address of a picture: no page has it, views resolve it. */
export function archivedFileAddress(archiveid: string, guid: string): string {
  return `/archives/${archiveid}/files/${encodeURIComponent(guid)}`;
}

/** The name by which views know the file of an `archivedFileAddress`; null for every other address. */
export function archivedFileAt(address: string): string | null {
  const [, archiveid, guid] = /^\/archives\/([^/]+)\/files\/([^/]+)$/.exec(address) ?? [];
  return archiveid === undefined || guid === undefined
    ? null
    : archivedFileId(archiveid, decodeURIComponent(guid));
}
