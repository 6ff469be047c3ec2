import type { ArchiveActions } from '#desktop/engine/api/archives.ts';
import { archivedGuideId } from '#desktop/engine/features/archives/ids.ts';
import type {
  ArchiveCard,
  ArchivedGuideCard,
  ArchivePage,
  ArchiveQuery,
} from '#desktop/engine/api/archive-records.ts';
import type { GuideSummaryCard, PlayableGuide } from '#desktop/engine/api/records.ts';
import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';

import { archiveCard, importCard } from './fixture-archive-cards.ts';
import { isIn, treeOf, type World } from './fixture-world.ts';

/** The library's guides stand for the guides of every archive. */
export function findArchive(world: World, query: ArchiveQuery): ArchivePage | null {
  const archive = world.archives.find((one) => one.archiveid === query.archiveid);
  if (archive === undefined) return null;
  const words = query.search?.trim().toLowerCase() ?? '';
  const all = archive.guides === 0 ? [] : world.cards;
  return {
    archive,
    categories: treeOf({ cards: all, categoryNames: {} }),
    aboutHtml: query.category === null ? '<p>Everything on the machines of our workshop.</p>' : '',
    guides: all
      .filter((card) => query.category === null || isIn(card, query.category))
      .filter((card) => card.title.toLowerCase().includes(words))
      .map((card) => archivedCard(world, query.archiveid, card))
      .toSorted((a, b) => a.title.localeCompare(b.title)),
    report: [
      {
        kind: 'repaired',
        message: 'The text was escaped twice and is shown as it was meant.',
        place: 'guide-1/guide.xml · line 12',
      },
      { kind: 'dropped', message: 'The picture is not in the archive.', place: 'guide-2/guide.xml · step 3' },
      {
        kind: 'unresolved',
        message: 'The guide that comes first is not in the archive.',
        place: 'guide-5/guide.xml',
      },
    ],
  };
}

function archivedCard(world: World, archiveid: string, card: GuideSummaryCard): ArchivedGuideCard {
  const guideid = archivedGuideId(archiveid, world.cards.indexOf(card));
  return {
    ...card,
    guideid,
    favorite: false,
    pending: false,
    public: true,
    same: isTwin(card.guideid) ? card.guideid : null,
  };
}

function isTwin(guideid: string): boolean {
  return guideid === '9001';
}

export function findArchivedGuide(world: World, archiveid: string, place: number): PlayableGuide | null {
  const archive = world.archives.find((one) => one.archiveid === archiveid);
  const card = world.cards[place];
  const guide = world.guides.find((one) => one.guideid === card?.guideid) ?? world.guides.at(-1);
  if (archive === undefined || card === undefined || guide === undefined) return null;
  return {
    ...guide,
    guideid: archivedGuideId(archiveid, place),
    title: card.title,
    comments: [],
    steps: guide.steps.map((step) => ({ ...step, fields: [], comments: [] })),
    prerequisites: guide.prerequisites.map((first) => ({ ...first, guideid: archivedGuideId(archiveid, 1) })),
    canEdit: false,
    canTag: false,
    archive: {
      archiveid,
      title: archive.title,
      same: isTwin(guide.guideid) ? guide.guideid : null,
      signatures: 'Tom Okafor: approved, 2026-05-04 09:00:00 UTC (Machine safety, publication).',
      isUnapproved: false,
      outside: [],
    },
  };
}

/** The engine's actions on archives, in the fixture's world. */
export function archiveActions(change: (make: (now: World) => Partial<World>) => void): ArchiveActions {
  const changeCard = (archiveid: string, part: Partial<ArchiveCard>): void =>
    change((now) => ({
      archives: now.archives.map((one) => (one.archiveid === archiveid ? { ...one, ...part } : one)),
    }));
  return {
    async openArchive(source, filename) {
      if (filename.startsWith('bad'))
        throw new ArchiveRefused(
          'doctype',
          'guide-3/guide.xml',
          'It defines entities, which could harm this device.',
        );
      const card = archiveCard({
        archiveid: 'new',
        title: filename,
        filename,
        bytes: source.size,
        addedAt: Date.now(),
      });
      change((now) => ({ archives: [card, ...now.archives] }));
      return card.archiveid;
    },
    async fetchArchive(url) {
      if (!url.startsWith('http'))
        throw new Problem('invalid', 'Enter an address that begins with http:// or https://');
      const progress = { done: 0, total: 9_000_000 };
      const card = archiveCard({
        archiveid: 'new',
        title: 'fetched',
        origin: 'url',
        from: url,
        state: 'fetching',
        progress,
      });
      change((now) => ({ archives: [card, ...now.archives] }));
      return card.archiveid;
    },
    async dismissArchiveNews(archiveid) {
      change(({ archiveNews }) => ({
        archiveNews: { ...archiveNews, left: archiveNews.left.filter((one) => one.archiveid !== archiveid) },
      }));
    },
    async allowArchiveLinks() {},
    async removeArchive(archiveid) {
      change((now) => ({ archives: now.archives.filter((one) => one.archiveid !== archiveid) }));
    },
    async saveArchive() {
      return true;
    },
    async exportArchive() {
      const card = archiveCard({ archiveid: 'made', title: 'Exported', origin: 'made', from: '' });
      change((now) => ({ archives: [card, ...now.archives] }));
      return { archiveid: 'made', guides: 1, linked: 2 };
    },
    async requestArchive() {
      const card = archiveCard({
        archiveid: 'asked',
        title: 'Everything I may see',
        origin: 'server',
        state: 'fetching',
        private: true,
      });
      change((now) => ({ archives: [card, ...now.archives] }));
      return card.archiveid;
    },
    async importArchive() {},
    async tryImport() {
      change((now) => ({ archiveImports: [importCard(), ...(now.archiveImports ?? [])] }));
    },
    async runImport(importid) {
      change((now) => ({
        archiveImports:
          now.archiveImports?.map((one) => (one.importid === importid ? { ...one, isTrial: false } : one)) ??
          null,
      }));
    },
    async undoImport(importid) {
      change((now) => ({
        archiveImports:
          now.archiveImports?.map((one) => (one.importid === importid ? { ...one, state: 'undone' } : one)) ??
          null,
      }));
    },
    async exportPage() {
      return true;
    },
    async downloadArchive(name) {
      const card = archiveCard({
        archiveid: name,
        title: name,
        origin: 'server',
        serverName: name,
        state: 'fetching',
        progress: { done: 0, total: 22_000_000 },
      });
      change((now) => ({
        archives: [card, ...now.archives],
        serverArchives:
          now.serverArchives?.map((one) => (one.name === name ? { ...one, archiveid: name } : one)) ?? null,
      }));
      return name;
    },
    async pauseDownload(archiveid) {
      changeCard(archiveid, { state: 'paused' });
    },
    async resumeDownload(archiveid) {
      changeCard(archiveid, { state: 'fetching' });
    },
  };
}
