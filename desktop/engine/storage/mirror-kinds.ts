import type { GuideFacts } from '#shared/model/guide.ts';
import { titleOf } from '#shared/sync/guide-titles.ts';
import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import type { GuideRow } from '../platform/ports.ts';

/** The fields of a record, beside its facts, that lists and lookups read without parsing the facts. */
export type GuideFields = Omit<GuideRow, 'id' | 'seq' | 'isTitle'>;
/** The guide that a record belongs to; 0 for none. */
export interface OfGuide {
  guideid: number;
}
export type MirrorFields = Partial<GuideFields & OfGuide>;

/** Fields of records in a collection of their own: their JSON Schema, and their values. */
export interface OwnCollection<F> {
  properties: Record<string, object>;
  /** Names of the fields by which records are found. */
  indexes: string[];
  /** The values for a record with these facts; undefined for a removed record. */
  fieldsOf(facts: F | undefined): MirrorFields;
}

/** What the device does with records of one kind. */
export interface MirrorKind<F> {
  /**
   * Absent for a small kind, whose records are only read by id or all together: they share one collection of RxDB. A
   * kind that is large, or that is looked up by another field, has a collection of its own.
   */
  own?: OwnCollection<F>;
  /** What "Check this device" calls a record that differed; '' where this is absent. */
  title?: (facts: F) => string;
  /**
   * Starts of the paths in which a number names a record of this kind, besides the path at which it is created:
   * `/comments/guide/` in `/comments/guide/61`.
   */
  inPaths?: readonly string[];
  /** Fields of calls that name a record of this kind by its number. */
  inFields?: readonly string[];
  /** Records are the person's own settings: one that is removed did not leave the device (leaving README, LEAVING-2). */
  isPersonal?: true;
}

const plain: OwnCollection<unknown> = { properties: {}, indexes: [], fieldsOf: () => ({}) };

const byGuide: OwnCollection<{ guideid: number | null }> = {
  properties: {
    guideid: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 1 },
  },
  indexes: ['guideid'],
  fieldsOf: (facts) => ({ guideid: facts?.guideid ?? 0 }),
};

const text = { type: 'string' };
const number = { type: 'number' };

const noFields: GuideFields = {
  title: '',
  category: '',
  type: '',
  summary: '',
  difficulty: '',
  timeRequired: 0,
  steps: 0,
  imageGuid: '',
  public: false,
  userid: 0,
  modifiedAt: 0,
};

const guides: OwnCollection<GuideFacts> = {
  properties: {
    title: text,
    category: text,
    type: text,
    summary: text,
    difficulty: text,
    timeRequired: number,
    steps: number,
    imageGuid: text,
    public: { type: 'boolean' },
    userid: number,
    modifiedAt: number,
  } satisfies Record<keyof GuideFields, object>,
  indexes: [],
  fieldsOf: (facts) => (facts === undefined ? noFields : titleOf(facts)),
};

/**
 * What the device does with each synced kind of record. A small kind without further properties needs no entry. A
 * change of `own` needs a new `databaseVersion`, or a move like that of `shared-collection-move.ts`.
 */
export const mirrorKinds: { readonly [C in SyncedCollection]?: MirrorKind<SyncedDocument<C>> } = {
  guides: {
    own: guides,
    title: ({ title }) => title,
    inPaths: ['/comments/guide/', '/user/favorites/guides/'],
    inFields: ['guideid'],
  },
  wikis: { own: plain, title: ({ title }) => title },
  stepForms: { own: byGuide },
  workLog: { own: byGuide, title: ({ workorderid }) => workorderid, inFields: ['entryid'] },
  comments: { own: byGuide, inPaths: ['/comments/'], inFields: ['parentid', 'replyTo'] },
  media: { own: plain },
  deviations: { title: ({ title }) => title },
  plannedOrders: { title: ({ workorderid }) => workorderid, inFields: ['planned_orderid'] },
  shiftSummaries: { title: ({ summary }) => summary.team.name },
  viewer: { isPersonal: true },
};
