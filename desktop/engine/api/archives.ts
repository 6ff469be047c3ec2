import type { ByteSource } from '#shared/formats/omanual/source.ts';

import type { Live } from './engine.ts';

import type * as records from './archive-records.ts';

/** Live reads of archives. They need no sign-in and no server. */
export interface ArchiveViews {
  /** The archives of this device, the newest first. */
  archives(): Live<records.ArchiveCard[]>;
  /** One archive with its categories and the requested guides; null: not on this device. */
  archive(query: records.ArchiveQuery): Live<records.ArchivePage | null>;
  /** The latest imports on the session's server, newest first; null while it cannot be reached. */
  archiveImports(): Live<records.ImportCard[] | null>;
  /** New versions, and archives that were removed from this device. */
  archiveNews(): Live<ArchiveNews>;
  /** The tags of the guides on this device, by name, with their guides. */
  taggedGuides(): Live<records.TaggedGuides[]>;
  /** The archives that the session's server offers; null while unknown (offline, signed out). */
  serverArchives(): Live<records.ServerArchive[] | null>;
  /** The archives that it will offer, or cannot create; none while unknown. */
  comingArchives(): Live<ComingArchive[]>;
}

/** Writes of archives. */
export interface ArchiveActions {
  /**
   * Stores a file as an archive of this device; returns its id. When this resolves, the file is stored, and it is read
   * afterwards. Throws `ArchiveRefused` when it is dangerous or not an archive.
   */
  openArchive(source: ByteSource, filename: string): Promise<string>;
  /** Begins to fetch an archive from an address; returns its id. Throws `Problem` invalid when the address is not one. */
  fetchArchive(url: string): Promise<string>;
  /** The person has seen that an archive was removed from this device. */
  dismissArchiveNews(archiveid: string): Promise<void>;
  /** Allows loading the pictures, videos and pages to which an archive only links, from other sites. */
  allowArchiveLinks(archiveid: string): Promise<void>;
  /** Removes an archive from this device. */
  removeArchive(archiveid: string): Promise<void>;
  /** Saves the file where the person chooses; false if they cancel. */
  saveArchive(archiveid: string, title: string): Promise<boolean>;
  /**
   * Creates an archive of guides, or of a category with its subcategories, from what is on this device, and stores it here.
   * Reports how many files it only links to, because they are not on this device.
   */
  exportArchive(choice: ExportChoice): Promise<Exported>;
  /**
   * Saves a guide or category as one HTML file with its pictures, with words in the language of `locale`; false if the
   * person cancels.
   */
  exportPage(choice: ExportChoice, title: string, locale: string): Promise<boolean>;
  /** Begins to fetch an archive of the server's collection, or its next version; returns its id. */
  downloadArchive(name: string): Promise<string>;
  /** Imports an archive into the server's library. The call waits in the outbox, with the archive as its file. */
  importArchive(archiveid: string, rules: ImportRules): Promise<void>;
  /** Asks the server what an import would do. The call waits in the outbox, and changes nothing. */
  tryImport(archiveid: string, rules: ImportRules): Promise<void>;
  /** Carries out an import that was tried. */
  runImport(importid: number, rules: ImportRules): Promise<void>;
  /** Undoes an import. */
  undoImport(importid: number): Promise<void>;
  /** Lets the server create an archive of everything that the person may see, also private guides, and fetches it; returns its id. */
  requestArchive(choice: AskedGuides): Promise<string>;
  /** Pauses and resumes fetching. */
  pauseDownload(archiveid: string): Promise<void>;
  resumeDownload(archiveid: string): Promise<void>;
}

export type AskedGuides = { guideids: number[] } | { category: string } | { site: true };

/** An archive of the collection that has no version yet. */
export interface ComingArchive {
  name: string;
  title: string;
  /** Why none could be created, in the server's words; null: one is being created. */
  problem: string | null;
}

/** What to include in an export. */
export type ExportChoice = { guideids: readonly string[] } | { category: string };

/** Result of an export. */
export interface Exported {
  archiveid: string;
  guides: number;
  /** Number of pictures and files that are not on this device: the archive only links to them. */
  linked: number;
}

/** What an import does with guides that the library has already, who may see its guides, and who becomes their author. */
export interface ImportRules {
  existing: 'skip' | 'new' | 'revision';
  visibility: 'archived' | 'private' | 'public';
  /** `name`: the person of this site with the author's name; for administrators. */
  author: 'importer' | 'name';
}

/** News of a person's archives. */
export interface ArchiveNews {
  /** Archives of the server's collection that have a newer version. */
  outdated: number;
  /** Archives that were removed from this device, until the person has seen it. */
  left: LeftArchive[];
}

/** An archive that was removed from this device, because its person may not see all of it any more. */
export interface LeftArchive {
  archiveid: string;
  title: string;
  server: string;
  userid: number;
  /** Its name in the server's collection; null: it was created for this person only. */
  name: string | null;
  /** ms since 1970. */
  at: number;
}
