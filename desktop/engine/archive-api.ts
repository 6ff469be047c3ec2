import type { ByteSource } from '#shared/formats/omanual/source.ts';

import type { AskedGuides, ComingArchive } from './archives/collection.ts';
import type { ExportChoice } from './archives/export/content.ts';
import type { Exported } from './archives/export/export.ts';
import type { Live } from './api.ts';
import type { ImportRules } from './archives/imports.ts';
import type { ArchiveNews } from './archives/news.ts';
import type * as records from './views/archive-records.ts';

/** Live reads of archives. They work without a person and without a server. */
export interface ArchiveViews {
  /** The archives of this device, the newest first. */
  archives(): Live<records.ArchiveCard[]>;
  /** One archive with its categories and those of its guides that are asked for; null: not on this device. */
  archive(query: records.ArchiveQuery): Live<records.ArchivePage | null>;
  /** The latest imports on the session's server, newest first; null while it cannot be asked. */
  archiveImports(): Live<records.ImportCard[] | null>;
  /** New versions, and archives that were taken off this device. */
  archiveNews(): Live<ArchiveNews>;
  /** The tags of the guides on this device, by name, with their guides. */
  taggedGuides(): Live<records.TaggedGuides[]>;
  /** The archives that the session's server offers; null while they are not known (offline, signed out). */
  serverArchives(): Live<records.ServerArchive[] | null>;
  /** The archives that it will offer, or cannot make; none while they are not known. */
  comingArchives(): Live<ComingArchive[]>;
}

/** Writes of archives. */
export interface ArchiveActions {
  /**
   * Keeps a file as an archive of this device; returns its id. It is safe here when this resolves, and read from then on.
   * Throws `ArchiveRefused` when it is dangerous or no archive.
   */
  openArchive(source: ByteSource, filename: string): Promise<string>;
  /** Begins to fetch an archive from an address; returns its id. Throws `Problem` invalid when it is none. */
  fetchArchive(url: string): Promise<string>;
  /** The person has seen that an archive was taken off this device. */
  dismissArchiveNews(archiveid: string): Promise<void>;
  /** Takes an archive off this device. */
  removeArchive(archiveid: string): Promise<void>;
  /** Gives the file to the person, to keep or hand on; false when they change their mind. */
  saveArchive(archiveid: string, title: string): Promise<boolean>;
  /**
   * Makes an archive of guides, or of a category with those below it, from what is on this device; it is kept here. Tells
   * how many files it only links to, because they are not on this device.
   */
  exportArchive(choice: ExportChoice): Promise<Exported>;
  /** Gives the person a guide or a category as one HTML file with its pictures; false when they change their mind. */
  exportPage(choice: ExportChoice, title: string): Promise<boolean>;
  /** Begins to fetch an archive of the server's collection, or its next version; returns its id. */
  downloadArchive(name: string): Promise<string>;
  /** Brings an archive into the server's library; waits for the server like every change, with the archive as its file. */
  importArchive(archiveid: string, rules: ImportRules): Promise<void>;
  /** Lets the server tell what an import would do; waits for the server like an import, and changes nothing. */
  tryImport(archiveid: string, rules: ImportRules): Promise<void>;
  /** Does what was tried out. */
  runImport(importid: number, rules: ImportRules): Promise<void>;
  /** Takes back all that an import did. */
  undoImport(importid: number): Promise<void>;
  /** Lets the server make an archive of what the person may see, private guides too, and fetches it; returns its id. */
  requestArchive(choice: AskedGuides): Promise<string>;
  /** Stops and goes on with what is being fetched. */
  pauseDownload(archiveid: string): Promise<void>;
  resumeDownload(archiveid: string): Promise<void>;
}
