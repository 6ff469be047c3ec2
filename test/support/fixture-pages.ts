import type { PageActions } from '#desktop/engine/api/pages.ts';
import type {
  PageParts,
  PageText,
  PersonProfile,
  TeamProfile,
  WikiPage,
} from '#desktop/engine/api/page-records.ts';
import { documentOf } from '#desktop/engine/features/media/documents.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import type { World } from './fixture-world.ts';

type Written = Pick<WikiPage, 'wikiid' | 'namespace' | 'title'> &
  Partial<Omit<WikiPage, 'text'>> & { text?: PageText };

/** Templates that pages of the fixture may use. */
export const fixtureTemplates = [
  {
    title: 'Template:Goggles',
    langid: 'en',
    contents_raw: 'Wear goggles at all times.',
    source_revisionid: null,
  },
];

/** A page with the given text and no other content. */
export function pageOf(written: Written): WikiPage {
  const { text, ...known } = written;
  const contents = text?.contents ?? '';
  return {
    displayTitle: written.title,
    description: '',
    langid: 'en',
    imageGuid: null,
    modifiedAt: Date.now() - 3 * 3_600_000,
    pending: false,
    revisionid: 41,
    newestRevisionid: 41,
    html: renderBlocks(contents, plainContext),
    text: fullText({
      displayTitle: written.title,
      description: written.description ?? '',
      contents,
      ...text,
    }),
    parent: null,
    children: [],
    translations: [],
    info: [],
    suppliers: [],
    repairability: null,
    documents: [],
    flags: [],
    tags: [],
    comments: [],
    author: 'Ana Ruiz',
    createdAt: Date.now() - 90 * 24 * 3_600_000,
    patrol: 'none',
    canEdit: true,
    canDelete: true,
    canTag: true,
    canPatrol: false,
    flagChoices: [{ flagid: 'GUIDE_STUB', title: 'Stub' }],
    isTranslation: false,
    translatable: [],
    editState: 'none',
    ...known,
  };
}

const noParts: PageParts = { image: null, flags: [], documents: [], info: [], suppliers: [], parent: null };

function fullText(text: PageText): WikiPage['text'] {
  return { ...noParts, ...text };
}

export function demoPages(): WikiPage[] {
  return [
    pageOf({
      wikiid: '71',
      namespace: 'CATEGORY',
      title: 'Bench Grinder',
      description: 'Grinders with a belt drive.',
      imageGuid: 'BeltGuideCover01',
      info: [{ name: 'Manufacturer', value: 'Workshop' }],
      text: {
        displayTitle: 'Bench Grinder',
        description: 'Grinders with a belt drive.',
        contents: "== Before you begin ==\nPull the '''plug''' first.",
      },
    }),
    pageOf({
      wikiid: '72',
      namespace: 'INFO',
      title: 'Workshop rules',
      tags: ['safety'],
      text: { displayTitle: 'Workshop rules', description: '', contents: 'Wear goggles.' },
    }),
    pageOf({ wikiid: '73', namespace: 'ITEM', title: 'Drive belt A-24' }),
  ];
}

export function demoPeople(): PersonProfile[] {
  const person = (userid: number, name: string, reputation: number): PersonProfile => ({
    userid,
    name,
    imageGuid: null,
    reputation,
    summary: '',
    uniqueName: null,
    aboutHtml: '<p>Keeps the grinders running.</p>',
    location: 'Hall 2',
    joinedAt: Date.UTC(2025, 2, 1),
    badges: { bronze: 2, silver: 1, gold: 0, total: 3 },
    privileges: ['User', 'Author'],
    teams: [{ teamid: 3, name: 'Line B', imageGuid: null, description: '', members: 2 }],
    pageid: null,
    canWritePage: userid === 9101,
    pending: false,
    refused: null,
    editable:
      userid === 9101
        ? {
            name,
            uniqueName: 'ana',
            summary: '',
            about: 'Keeps the grinders running.',
            location: 'Hall 2',
            image: null,
          }
        : null,
  });
  return [person(9101, 'Ana Ruiz', 120), person(9102, 'Ben Okafor', 40)];
}

export function demoTeams(): TeamProfile[] {
  return [
    {
      teamid: 3,
      name: 'Line B',
      imageGuid: null,
      description: 'Assembly, second line.',
      location: 'Hall 2',
      reputation: 160,
      owner: 9101,
      members: demoPeople(),
      pageid: null,
      canWritePage: true,
      pending: false,
      refused: null,
      canJoin: false,
      canLeave: true,
    },
    {
      teamid: 4,
      name: 'Night shift',
      imageGuid: null,
      description: '',
      location: '',
      reputation: 40,
      owner: 9102,
      members: demoPeople().slice(1),
      pageid: null,
      canWritePage: false,
      pending: false,
      refused: null,
      canJoin: true,
      canLeave: false,
    },
  ];
}

/** The engine's actions on pages and tags, in the fixture's world. */
export function pageActions(
  change: (make: (now: World) => Partial<World>) => void,
  next: () => number,
  keep: (file: Blob) => string,
): PageActions {
  const changePage = (wikiid: string, make: (page: WikiPage) => Partial<WikiPage>): void =>
    change((now) => ({
      pages: now.pages.map((page) => (page.wikiid === wikiid ? { ...page, ...make(page) } : page)),
    }));
  const changeTeam = (teamid: number, make: (team: TeamProfile) => Partial<TeamProfile>): void =>
    change((now) => ({
      teams: now.teams.map((team) =>
        team.teamid === teamid ? { ...team, ...make(team), pending: true } : team,
      ),
    }));
  const tagged = (tags: readonly string[], tag: string, on: boolean): string[] =>
    on ? [...tags, tag] : tags.filter((one) => one !== tag);
  return {
    async createPage(namespace, title, text) {
      const wikiid = `tmp:${next()}`;
      const page = pageOf({ wikiid, namespace, title, text, pending: true, editState: 'queued' });
      change((now) => ({ pages: [...now.pages, page] }));
      if (namespace === 'TEAM') changeTeam(Number(title), () => ({ pageid: wikiid, canWritePage: false }));
      return wikiid;
    },
    async savePage(wikiid, text) {
      changePage(wikiid, (page) => ({
        text: { ...page.text, ...text },
        imageGuid: text.image?.guid ?? page.imageGuid,
        displayTitle: text.displayTitle,
        description: text.description,
        html: renderBlocks(text.contents, plainContext),
        pending: true,
        editState: 'queued',
      }));
    },
    async deletePage(wikiid) {
      change((now) => ({ pages: now.pages.filter((page) => page.wikiid !== wikiid) }));
    },
    async tagGuide(guideid, tag, on) {
      change((now) => ({
        guides: now.guides.map((guide) =>
          guide.guideid === guideid ? { ...guide, tags: tagged(guide.tags, tag, on) } : guide,
        ),
      }));
    },
    async tagPage(wikiid, tag, on) {
      changePage(wikiid, (page) => ({ tags: tagged(page.tags, tag, on) }));
    },
    async translatePage(wikiid, langid, text) {
      const made = `tmp:${next()}`;
      change((now) => {
        const source = now.pages.find((page) => page.wikiid === wikiid);
        const { namespace = 'INFO', title = '' } = source ?? {};
        return {
          pages: [...now.pages, pageOf({ wikiid: made, namespace, title, langid, text, pending: true })],
        };
      });
      return made;
    },
    async patrolPage(wikiid) {
      changePage(wikiid, () => ({ patrol: 'none', canPatrol: false }));
    },
    async revertPage(wikiid) {
      changePage(wikiid, () => ({ editState: 'queued', pending: true }));
    },
    async saveProfile(edit) {
      change((now) => ({
        people: now.people.map((one) =>
          one.editable === null
            ? one
            : {
                ...one,
                name: edit.name ?? one.name,
                summary: edit.summary ?? one.summary,
                location: edit.location ?? one.location,
                imageGuid: edit.image === undefined ? one.imageGuid : (edit.image?.guid ?? null),
                editable: { ...one.editable, ...edit },
                pending: true,
              },
        ),
      }));
    },
    async joinTeam(teamid) {
      changeTeam(teamid, ({ members }) => ({
        members: [...demoPeople().slice(0, 1), ...members],
        canJoin: false,
        canLeave: true,
      }));
    },
    async leaveTeam(teamid) {
      changeTeam(teamid, ({ members }) => ({
        members: members.filter(({ userid }) => userid !== 9101),
        canJoin: true,
        canLeave: false,
      }));
    },
    async keepPagePicture(file) {
      return { id: 0, guid: keep(file), width: 80, height: 60 };
    },
    async keepPageDocument(file, filename) {
      return documentOf({ documentid: 0, guid: keep(file), filename });
    },
    async pageVersions() {
      return [
        { revisionid: 41, author: 'Ana Ruiz', at: Date.UTC(2026, 0, 5) },
        { revisionid: 40, author: 'Ben Okafor', at: Date.UTC(2025, 11, 5) },
      ];
    },
  };
}
