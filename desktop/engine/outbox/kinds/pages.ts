import { z } from 'zod';

import type { AutomaticMerge, MergeConflict } from '#shared/merge/conflict.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import type { WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { contestedWords, ownFields } from '../own-words.ts';
import { fieldsDetail, type CallKindSpec, joined, fieldsOf } from './kind.ts';
import { wikis } from '#shared/api/wikis.ts';

/** Context of a `wiki-create` or `wiki-save` call. */
export interface WikiSave {
  namespace: WikiNamespace;
  /** Language of a page that is created as a translation. */
  langid?: string;
  /** The version that the body is based on; null for a new page. */
  base: WikiBase | null;
  /** Content after the edit. */
  content: WikiContent;
  /** It was merged automatically with what somebody else had saved. */
  merged?: true;
  /** Set while a person must decide. */
  contest?: WikiContest | undefined;
}

/** `revisionid`: null if the call before it produces it. */
export interface WikiBase {
  revisionid: number | null;
  content: WikiContent;
}

/** A conflict of a save with what somebody else saved meanwhile. Both texts are in `conflicts`. */
export interface WikiContest {
  theirs: WikiBase & { userid: number };
  conflicts: MergeConflict[];
  merges: AutomaticMerge[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its schema is checked when the call is read (`pageKinds`). */
export function wikiSaveOf(call: OutboxCall): WikiSave | undefined {
  if (call.kind !== 'wiki-create' && call.kind !== 'wiki-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'content' in context
    ? (context as WikiSave)
    : undefined;
}

/** The parts of a version that can be edited. */
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

/** Path of a page in the API. */
export function pagePath(namespace: WikiNamespace, title: string): string {
  return `/wikis/${namespace}/${encodeURIComponent(title)}`;
}

/** Content of an empty page. */
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

/** The id of a file in a body: its number, or its temporary id before it is uploaded. */
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
  // Patrolling and restoring a version join nothing: each is sent on the revision that the person saw, or that the call
  // before it produces.
  'wiki-patrol': { activity: 'page', endpoints: [wikis.patrol], detail: () => 'patrolled' },
  'wiki-revert': { activity: 'page', endpoints: [wikis.revert], detail: () => 'reverted' },
} satisfies Record<string, CallKindSpec>;
