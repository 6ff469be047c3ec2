import type { ByteSource } from '#shared/formats/omanual/source.ts';

import type { Live } from './engine.ts';

import type * as records from './archive-records.ts';

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

export type AskedGuides = { guideids: number[] } | { category: string } | { site: true };

/** An archive of the collection of which there is no version yet. */
export interface ComingArchive {
  name: string;
  title: string;
  /** Why none could be made, in the server's words; null: one is being made. */
  problem: string | null;
}

/** What is to be taken along. */
export type ExportChoice = { guideids: readonly string[] } | { category: string };

/** What became of an export. */
export interface Exported {
  archiveid: string;
  guides: number;
  /** Pictures and files that are not on this device: the archive only links to them. */
  linked: number;
}

/** What an import does about guides that are in the library already, who sees its guides, and whose they become. */
export interface ImportRules {
  existing: 'skip' | 'new' | 'revision';
  visibility: 'archived' | 'private' | 'public';
  /** `name`: of whoever here has the author's name; for administrators. */
  author: 'importer' | 'name';
}

/** What a person should hear of their archives. */
export interface ArchiveNews {
  /** Archives of the server's collection of which there is a newer version. */
  outdated: number;
  /** Those that were taken off this device, until the person has seen it. */
  left: LeftArchive[];
}

/** An archive that left this device since its person may not see all of it any more. */
export interface LeftArchive {
  archiveid: string;
  title: string;
  server: string;
  userid: number;
  /** Its name in the server's collection; null: it was made for this person alone. */
  name: string | null;
  /** ms since 1970. */
  at: number;
}
