import type { ComingArchive } from '#desktop/engine/api/archives.ts';
import type { ArchiveCard, ImportCard, ServerArchive } from '#desktop/engine/api/archive-records.ts';

const day = 24 * 60 * 60_000;

export function archiveCard(change: Partial<ArchiveCard> = {}): ArchiveCard {
  return {
    archiveid: 'ar1',
    title: 'Workshop machines',
    filename: 'workshop-machines.omanual',
    bytes: 48_300_000,
    addedAt: Date.now() - 2 * day,
    origin: 'opened',
    from: 'https://manuals.example.net',
    producer: 'ifixit',
    version: '0.4',
    guides: 12,
    findings: 3,
    state: 'ready',
    progress: null,
    problem: null,
    private: false,
    serverName: null,
    isOutdated: false,
    linked: false,
    ...change,
  };
}

export function demoArchives(): ArchiveCard[] {
  return [
    archiveCard(),
    archiveCard({
      archiveid: 'ar2',
      title: 'Whole site',
      filename: 'site.omanual',
      bytes: 1_240_000_000,
      addedAt: Date.now() - day,
      origin: 'server',
      from: 'https://guides.example.org',
      producer: 'benchbook',
      version: '1.0',
      guides: 0,
      findings: 0,
      state: 'fetching',
      progress: { done: 512_000_000, total: 1_240_000_000 },
      serverName: 'site',
    }),
    archiveCard({
      archiveid: 'ar3',
      title: 'Lathe',
      filename: 'lathe.omanual',
      bytes: 9_100_000,
      origin: 'server',
      from: 'https://guides.example.org',
      producer: 'benchbook',
      version: '1.0',
      guides: 2,
      findings: 0,
      serverName: 'lathe',
      isOutdated: true,
    }),
    archiveCard({
      archiveid: 'ar4',
      title: 'old-manual',
      filename: 'old-manual.omanual',
      bytes: 120_000,
      from: '',
      producer: 'unknown',
      version: '',
      guides: 0,
      findings: 0,
      state: 'unusable',
      problem: 'guide-3/guide.xml: It defines entities, which could be used to harm this device.',
    }),
  ];
}

export function demoServerArchives(): ServerArchive[] {
  const madeAt = Date.now() - day;
  return [
    { name: 'site', title: 'Whole site', bytes: 1_240_000_000, guides: 310, madeAt, archiveid: 'ar2' },
    { name: 'lathe', title: 'Lathe', bytes: 9_400_000, guides: 3, madeAt, archiveid: 'ar3' },
    { name: 'drill-press', title: 'Drill press', bytes: 22_000_000, guides: 14, madeAt, archiveid: null },
  ];
}

/** One archive that the server is making, and one that it cannot make. */
export function demoComingArchives(): ComingArchive[] {
  return [
    { name: 'press-brake', title: 'Press brake', problem: null },
    {
      name: 'machines',
      title: 'Machines',
      problem: 'The archive would hold more files than readers take. Take the archives of its categories.',
    },
  ];
}

/** A trial import of the workshop's archive. */
export function importCard(): ImportCard {
  return {
    importid: 31,
    filename: 'workshop-machines.omanual',
    at: Date.now(),
    isTrial: true,
    state: 'done',
    progress: null,
    result: { created: 10, changed: 0, skipped: 2, media: 84 },
    items: [
      { kind: 'category', title: 'Workshop machines', action: 'skipped' },
      { kind: 'guide', title: 'Change the drive belt', action: 'created' },
    ],
    report: [
      { kind: 'guessed', message: 'The type Teardown is read as teardown.', place: 'guide-4/guide.xml' },
    ],
    problem: null,
    isFileGone: false,
    rules: { existing: 'skip', visibility: 'archived', author: 'importer' },
  };
}
