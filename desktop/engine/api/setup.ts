import type { BackupSource, FoundBackups, NewSite } from '#shared/api/setup.ts';

/** The first run of an empty server. Each asks the server and throws its `Problem`. */
export interface SetupActions {
  /** Whether a server still has to be set up, and whether it is restoring a backup. */
  setupState: (server: string) => Promise<{ needed: boolean; restoring: boolean }>;
  /** Sets up the site with its first administrator, and signs in as that person. */
  setUp: (server: string, site: NewSite) => Promise<void>;
  /** The backups in a folder of the server, newest first. */
  findBackups: (server: string, source: BackupSource) => Promise<FoundBackups>;
  /** Begins to restore a backup. The server stops answering until it has restarted with it. */
  restoreBackup: (server: string, source: BackupSource & { backup: string }) => Promise<void>;
}
