import type { categories, wikis } from '#shared/api/wikis.ts';
import type { guideSharing } from '#shared/api/guide-sharing.ts';
import type { guides } from '#shared/api/guides.ts';
import type { releases } from '#shared/api/releases.ts';
import type { search } from '#shared/api/search.ts';
import type { tags } from '#shared/api/tags.ts';
import type { translationGlossary } from '#shared/api/translation-glossary.ts';

import { addTerm } from './records.ts';
import {
  administrators,
  authors,
  everybody,
  guideEdit,
  guideGovern,
  guideRead,
  guideUse,
  moderators,
  oddForAdministrators,
  own,
  signedIn,
  type Row,
} from './row.ts';
import type { RowsOf } from './table.ts';

const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' };

export const guideRows: RowsOf<typeof guides> = {
  list: [
    { expect: { any: everybody(200) } },
    { expect: { any: administrators(200) }, query: 'includePrivate' },
    { expect: { any: oddForAdministrators }, query: 'includePrivate&limit=few' },
  ],
  featured: { expect: { any: everybody(200) } },
  collections: { expect: { any: everybody(200) } },
  read: { expect: guideRead(200) },
  create: [
    { expect: { any: '401 201 201 201 201 201 403' }, body: newGuide },
    { expect: { any: '401 422 422 422 422 422 403' }, body: { ...newGuide, author: 'somebody' } },
  ],
  patch: [
    { expect: guideEdit(409), body: { title: 'Other' } },
    {
      expect: { ...guideEdit(422), public: oddForAdministrators },
      body: { author: 'somebody' },
    },
    { expect: guideGovern(422), body: { public: 'perhaps' } },
  ],
  remove: { expect: guideGovern(409) },
  publish: { expect: guideGovern(409) },
  unpublish: { expect: guideGovern(409) },
  publishSingular: { expect: guideGovern(409) },
  unpublishSingular: { expect: guideGovern(409) },
  editors: { expect: guideEdit(200), body: { open: true } },
  complete: { expect: guideUse(204) },
  uncomplete: { expect: guideUse(204) },
  addStep: { expect: guideEdit(409), query: 'revisionid=999999999', body: { lines: [], orderby: 1 } },
  patchStep: { expect: guideEdit(409), body: { title: 'Other' } },
  removeStep: { expect: guideEdit(409) },
  orderSteps: { expect: guideEdit(422) },
  tags: { expect: guideRead(200) },
  addTag: { expect: guideGovern(200), body: { tag: 'belt' } },
  removeTag: { expect: guideGovern(422) },
};

/** With a person outside the table, so that no cell affects another. */
const withHelper: Pick<Row, 'ids' | 'fresh'> = {
  ids: ({ world }) => ({ userid: world.helper.userid }),
  fresh: async ({ world, ids }) => {
    await world.admin('PUT', `/guides/${ids['guideid']}/users/${world.helper.userid}`);
    return {};
  },
};
const withOtherTeam: Pick<Row, 'ids' | 'fresh'> = {
  ids: ({ world }) => ({ teamid: world.otherTeam }),
  fresh: async ({ world, ids }) => {
    await world.admin('PUT', `/guides/${ids['guideid']}/teams/${world.otherTeam}`);
    return {};
  },
};

export const guideSharingRows: RowsOf<typeof guideSharing> = {
  users: { expect: guideUse(200) },
  addUser: { expect: guideGovern(201), ...withHelper },
  removeUser: { expect: guideGovern(200), ...withHelper },
  teams: { expect: guideUse(200) },
  addTeam: { expect: guideGovern(201), ...withOtherTeam },
  removeTeam: { expect: guideGovern(200), ...withOtherTeam },
};

export const releaseRows: RowsOf<typeof releases> = {
  revisions: { expect: guideRead(200) },
  // The version was saved before the guide was shared with the team (GUIDE-REVISION-8).
  revision: { expect: { ...guideRead(200), team: '404 404 404 404 200 404 404' } },
  list: { expect: { any: signedIn(200) } },
  ofGuide: { expect: guideRead(200) },
  read: { expect: guideRead(200) },
  create: {
    expect: { ...guideEdit(409), own: '- 403 409 409 409 403 403' },
    body: { title: 'Second', notes: '' },
  },
};

/** A page of the site; one's own user page; the page of one's team. */
const wikiEdit = {
  public: '401 409 409 409 409 409 403',
  own: own(409, 403),
  team: '401 409 403 403 409 409 403',
};
const wikiTag = {
  public: authors(200),
  own: own(200, 403),
  team: '401 200 403 403 200 200 403',
};

export const wikiRows: RowsOf<typeof wikis> = {
  list: { expect: { any: everybody(200) } },
  read: { expect: { public: everybody(200), own: own(200), team: everybody(200) } },
  create: [
    {
      expect: { any: authors(201) },
      body: ({ world }: { world: { next: () => number } }) => ({
        namespace: 'WIKI',
        title: `Page ${world.next()}`,
        contents: 'Text',
      }),
    },
    { expect: { any: authors(422) }, body: { namespace: 'WIKI', title: 'Page', contents: 5 } },
  ],
  patch: [
    { expect: wikiEdit, body: { contents: 'Other' } },
    { expect: { public: oddForAdministrators }, body: { repairability_score: 3, contents: 5 } },
    { expect: { public: moderators(422) }, body: { title: 'Other', contents: 5 } },
  ],
  remove: { expect: { ...wikiEdit, public: moderators(409) } },
  revert: {
    expect: {
      public: '401 422 422 422 422 422 403',
      own: own(422, 403),
      team: '401 422 403 403 422 422 403',
    },
    query: 'to_revisionid=999999999',
  },
  patrol: { expect: { public: moderators(409) } },
  revisions: { expect: { public: everybody(200), own: own(200), team: everybody(200) } },
  tags: { expect: { public: everybody(200), own: own(200), team: everybody(200) } },
  addTag: { expect: wikiTag, body: { tag: 'belt' } },
  removeTag: {
    expect: { public: authors(422), own: own(422, 403), team: '401 422 403 403 422 422 403' },
  },
};

export const categoryRows: RowsOf<typeof categories> = {
  tree: { expect: { any: everybody(200) } },
  all: { expect: { any: everybody(200) } },
  read: { expect: { any: everybody(200) } },
};

export const tagRows: RowsOf<typeof tags> = { list: { expect: { any: everybody(200) } } };

export const glossaryRows: RowsOf<typeof translationGlossary> = {
  list: { expect: { any: signedIn(200) } },
  put: { expect: { any: moderators(422) } },
  remove: {
    expect: { any: moderators(204) },
    ids: ({ world }) => ({ entryid: world.glossaryEntry }),
    fresh: async ({ world }) => ({ ids: { entryid: await addTerm(world) } }),
  },
};

export const searchRows: RowsOf<typeof search> = {
  search: { expect: { any: everybody(200) } },
  suggest: { expect: { any: everybody(200) } },
};
