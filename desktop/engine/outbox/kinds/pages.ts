import { z } from 'zod';

import type { AutomaticMerge, MergeConflict } from '#shared/merge/conflict.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import type { WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { contestedWords, ownFields } from '../own-words.ts';
import { fieldsDetail, type CallKindSpec, joined, fieldsOf } from './kind.ts';
import { wikis } from '#shared/api/wikis.ts';

/** What a `wiki-create` or `wiki-save` call carries beside its body. */
export interface WikiSave {
  namespace: WikiNamespace;
  /** Of a page that is made as a translation: its language. */
  langid?: string;
  /** What the body is written against; null for a page that is not there yet. */
  base: WikiBase | null;
  /** What the person wants the page to say. */
  content: WikiContent;
  /** It was brought together with what somebody else had saved meanwhile, without a person. */
  merged?: true;
  /** Set while a person must decide. */
  contest?: WikiContest | undefined;
}

/** `revisionid`: null when it is the one that the call before it brings. */
export interface WikiBase {
  revisionid: number | null;
  content: WikiContent;
}

/** A save that contradicts what somebody else saved meanwhile. Both texts are in `conflicts`. */
export interface WikiContest {
  theirs: WikiBase & { userid: number };
  conflicts: MergeConflict[];
  merges: AutomaticMerge[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its shape is checked where it is read (`pageKinds`). */
export function wikiSaveOf(call: OutboxCall): WikiSave | undefined {
  if (call.kind !== 'wiki-create' && call.kind !== 'wiki-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'content' in context
    ? (context as WikiSave)
    : undefined;
}

/** What can be edited of a version. */
export function wikiContentOf(version: WikiVersion): WikiContent {
  const { title, display_title, parent, description, contents_raw, image, flags, table_of_contents } =
    version;
  const { page_title, repairability_score, documents, info, suppliers } = version;
  return {
    title,
    display_title,
    parent,
    description,
    contents_raw,
    image,
    flags,
    table_of_contents,
    ...(page_title === undefined ? {} : { page_title }),
    ...(repairability_score === undefined ? {} : { repairability_score }),
    ...(documents === undefined ? {} : { documents }),
    ...(info === undefined ? {} : { info }),
    ...(suppliers === undefined ? {} : { suppliers }),
  };
}

/** Where the API has a page. */
export function pagePath(namespace: WikiNamespace, title: string): string {
  return `/wikis/${namespace}/${encodeURIComponent(title)}`;
}

/** A page in which nothing is written. */
export function blankWiki(title: string): WikiContent {
  return {
    title,
    display_title: '',
    parent: null,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
  };
}

/** The smallest PATCH body that turns `before` into `after`; null when nothing differs. */
export function wikiEditBody(before: WikiContent, after: WikiContent): object | null {
  const entries = Object.entries(wireFields(after));
  const old = new Map<string, unknown>(Object.entries(wireFields(before)));
  const changed = entries.filter(([name, value]) => !sameValue(value, old.get(name)));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function wireFields(content: WikiContent): object {
  const { contents_raw, image, documents = [], info = [], suppliers = [], ...rest } = content;
  return {
    ...rest,
    contents: contents_raw,
    info,
    suppliers,
    image: image === null ? null : fileId(image.id, image.guid),
    documents: documents.map(({ documentid, guid }) => fileId(documentid, guid)),
  };
}

/** A file that is still to be uploaded has no number; its temporary id stands for it. */
function fileId(id: number, guid: string): number | string {
  return id === 0 ? guid : id;
}

const page = z.looseObject({ title: z.string() });
const contest = z.looseObject({
  merges: z.array(z.looseObject({})),
  mineAt: z.number(),
  theirsAt: z.number(),
});

const wikiSave = z.union([
  z.looseObject({ content: z.undefined().optional() }),
  z.looseObject({
    base: z.looseObject({ content: page }).nullable(),
    content: page,
    contest: contest.optional(),
  }),
]);

const pictureLost =
  'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.';

const saving = {
  activity: 'page',
  context: wikiSave,
  fileLost: pictureLost,
  words: (call) => {
    const save = wikiSaveOf(call);
    if (save === undefined) return undefined;
    const mine = contestedWords(save.contest?.conflicts ?? []);
    return [...ownFields(save.base?.content ?? blankWiki(''), save.content), ...mine];
  },
  detail: (call) => fieldsDetail(call) + (wikiSaveOf(call)?.merged === true ? ',merged' : ''),
} as const satisfies Partial<CallKindSpec>;

/** Calls that change a wiki page. */
export const pageKinds = {
  'wiki-create': { ...saving, endpoints: [wikis.create] },
  'wiki-save': {
    ...saving,
    endpoints: [wikis.patch],
    join: (last, incoming) =>
      last.kind === 'wiki-save' || last.kind === 'wiki-create'
        ? joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) })
        : null,
  },
  'wiki-delete': {
    activity: 'page',
    endpoints: [wikis.remove],
    join: (last, incoming, isNeeded) => {
      if (last.kind === 'wiki-create')
        return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      if (last.kind !== 'wiki-save') return null;
      return { put: [{ ...incoming, query: last.query }], drop: [last.id], result: incoming };
    },
    detail: () => 'removed',
  },
  'wiki-patrol': { activity: 'page', endpoints: [wikis.patrol], detail: () => 'patrolled' },
  'wiki-revert': { activity: 'page', endpoints: [wikis.revert], detail: () => 'reverted' },
} satisfies Record<string, CallKindSpec>;
