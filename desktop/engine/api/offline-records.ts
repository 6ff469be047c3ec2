/** What a device keeps for reading without a network, besides the texts of all guides. */
export interface OfflineChoice {
  /** All guides, whatever else is chosen. */
  everything: boolean;
  favorites: boolean;
  /** Titles of categories; the categories below them are chosen too. */
  categories: string[];
  tags: string[];
  /** Teams whose guides are chosen: those that are shared with the team, and those that its members wrote. */
  teams: number[];
}

/** Number and size of files. `isEstimate`: some sizes are not known exactly. */
export interface FileSum {
  count: number;
  bytes: number;
  isEstimate: boolean;
}

/** What a choice means for this device. */
export interface OfflinePreview {
  /** Guides that are chosen, their prerequisites, and guides that stay for another reason (CARRY-3). */
  guides: number;
  prerequisites: number;
  others: number;
  pictures: FileSum;
  documents: FileSum;
  videos: FileSum;
  toLoad: FileSum;
  /** Null: not known, because other accounts on this device may need the files, or guides are missing here. */
  toRemove: FileSum | null;
  /** All guides are on this device; until then the numbers grow. */
  isComplete: boolean;
  /** Free space, bytes; null: not known. */
  free: number | null;
}

/** What can be chosen besides categories. */
export interface OfflineOffer {
  /** Tags by name, with the number of guides. */
  tags: { tag: string; guides: number }[];
  teams: { teamid: number; name: string }[];
}

/** How far this device is with what it should keep. */
export interface OfflineState {
  choice: OfflineChoice;
  /** The stored choice could not be read; `choice` is the usual one until the person chooses again. */
  isUnread: boolean;
  isPaused: boolean;
  /** Guides that were downloaded one by one. */
  singles: number;
  /** Files on this device, all files that it needs, and how many of these the server does not have. */
  have: number;
  of: number;
  gone: number;
  bytes: { have: number; of: number; isEstimate: boolean };
  /**
   * `elsewhere`: another tab loads the files. `full`: there is no room for the next file. `unknown`: it is still being
   * found out what is needed. `incomplete`: that is not known before the server has sent all guides.
   */
  state: 'unknown' | 'incomplete' | 'ready' | 'loading' | 'paused' | 'offline' | 'elsewhere' | 'full';
  /** Estimate of the time that is left, ms; null: not known yet. */
  remainingMs: number | null;
}

/**
 * Why no file can be removed now. `unknown`: it is being found out what is needed. `incomplete`: that is not known before
 * the server has sent all guides. `unread`: what the person chose could not be read.
 */
export type RemovalObstacle = 'unknown' | 'incomplete' | 'unread';

/** What takes how much on this device. */
export interface StorageUse {
  guides: number;
  pages: number;
  /** Of guides, pages, work orders and all other records, bytes; null: the browser does not say. */
  recordBytes: number | null;
  pictures: FileSum;
  documents: FileSum;
  videos: FileSum;
  /** Those of these files that nothing needs; the reason while that is not known. */
  unneeded: FileSum | RemovalObstacle;
  archives: FileSum;
  /** Changes and drafts that wait, and the files that they send. */
  waiting: { changes: number; drafts: number; files: FileSum };
  workOrders: number;
  space: StorageSpace | null;
}

/** The space of this app on the device. */
export interface StorageSpace {
  /** Bytes in use, and how many more may be used. */
  used: number;
  free: number;
  /** Whether the browser keeps the data when the disk is nearly full. */
  isPersistent: boolean;
  /** Of databases, bytes; null: the browser does not say. */
  records: number | null;
}
