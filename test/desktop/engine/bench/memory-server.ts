import type { Answer } from '#desktop/engine/outbox/answers.ts';
import { documentOf } from '#desktop/engine/features/media/documents.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type GuideEdit, type NewGuide, guideEdit, newGuide } from '#shared/api/guides.ts';
import { newWiki, wikiEdit, type WikiEdit } from '#shared/api/wikis.ts';
import { newEntry, stepData } from '#shared/api/work-log.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import type { FormField, StepForm } from '#shared/model/step-form.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { type EntryFacts, type Moment, type WorkDataValue, moment } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, contentOf, stepKeyOf } from '#shared/rules/guide-content.ts';
import { applyBody } from '#shared/rules/guide-edit-body.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { type EntryMove, appendEvent, moveRefusal } from '#shared/rules/work-log.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';
import { guideOf } from '#test/support/guide-edits.ts';

type Call = Pick<OutboxCall, 'id' | 'method' | 'path' | 'query' | 'body'>;

/** A sync server in memory: the documented calls that the engine makes, with their refusals, and a feed. */
export class MemoryServer {
  readonly #records = new Map<string, FeedRow>();
  readonly #answers = new Map<string, Answer>();
  #seq = 0;
  #nextId = 500;
  /** ms since 1970. */
  now = Date.UTC(2026, 0, 5, 8);

  /** Stores a record, like another client. */
  put(collection: SyncedCollection, id: string, doc: object, key?: string): FeedRow {
    this.#seq += 1;
    const row: FeedRow = { c: collection, id, seq: this.#seq, doc, ...(key === undefined ? {} : { key }) };
    this.#records.set(`${collection}/${id}`, row);
    return row;
  }

  remove(collection: SyncedCollection, id: string, key?: string): FeedRow {
    this.#seq += 1;
    const row: FeedRow = {
      c: collection,
      id,
      seq: this.#seq,
      removed: true,
      ...(key === undefined ? {} : { key }),
    };
    this.#records.set(`${collection}/${id}`, row);
    return row;
  }

  /** Rows after `seq`, in feed order. */
  rowsAfter(seq: number): FeedRow[] {
    return [...this.#records.values()].filter((row) => row.seq > seq).toSorted((a, b) => a.seq - b.seq);
  }

  guide(guideid: number): GuideFacts {
    return this.#read<GuideFacts>('guides', guideid);
  }

  entry(entryid: number): EntryFacts {
    return this.#read<EntryFacts>('workLog', entryid);
  }

  /** Edits a guide as another person. */
  editGuide(guideid: number, edit: (content: GuideContent) => GuideContent, userid = 2): void {
    const facts = { ...this.guide(guideid), modified_userid: userid };
    this.put('guides', String(guideid), this.#revised(facts, edit(contentOf(facts)), new Map()));
  }

  /** Makes a transition of an order as another person. */
  moveEntry(entryid: number, type: EntryMove, userid: number): void {
    const facts = appendEvent(this.entry(entryid), { type, userid }, this.now);
    this.put('workLog', String(entryid), facts);
  }

  /** Runs a call of a person once, even if it is repeated. */
  call(call: Call, userid: number): Answer {
    const known = this.#answers.get(call.id);
    if (known !== undefined) return known;
    const answer = this.#route(call, userid);
    if (answer.status < 300) this.#answers.set(call.id, answer);
    return answer;
  }

  #read<T>(collection: SyncedCollection, id: number | string): T {
    return must(this.#records.get(`${collection}/${id}`)?.doc, `${collection} ${id}`) as T;
  }

  #has(collection: SyncedCollection, id: string): boolean {
    return this.#records.get(`${collection}/${id}`)?.doc !== undefined;
  }

  #id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #route(call: Call, userid: number): Answer {
    const [first = '', second = '', third = '', fourth = ''] = call.path.slice(1).split('/');
    if (first === 'guides' && second === '') return this.#createGuide(call, userid);
    if (third === 'tag') return this.#tag(call, 'guide', second);
    if (first === 'wikis' && fourth === 'tag') return this.#tag(call, 'wiki', this.#wikiid(second, third));
    if (first === 'wikis' && fourth !== '')
      return this.#wikiVersion(call, this.#wikiid(second, third), fourth);
    if (first === 'wikis') return this.#wiki(call, this.#wikiid(second, third), userid);
    if (first === 'guides' && third === 'completed') return this.#mark('completion', second, call);
    if (first === 'guides') return this.#reviseGuide(call, second, third);
    if (first === 'user' && second === 'favorites') return this.#mark('favorite', fourth, call);
    if (first === 'user' && second === 'media') return this.#upload(call, userid);
    if (first === 'comments') return this.#comment(call, second, third, userid);
    if (first === 'work_log') return this.#workLog(call, second, third, userid);
    return refused(404, 'Not found');
  }

  #createGuide(call: Call, userid: number): Answer {
    const parsed = newGuide.safeParse(call.body);
    if (!parsed.success) return refused(422, parsed.error.message);
    const guideid = this.#id();
    const { guideid: _id, ...blank } = guideOf([], {
      userid,
      public: false,
      title: '',
      summary: '',
      introduction_raw: '',
      conclusion_raw: '',
      flags: [],
      parts: [],
      tools: [],
      documents: [],
      prerequisites: [],
      subject: '',
      category: '',
    });
    const made: GuideFacts = { guideid, ...blank, revisionid: 0, guide_revisionid: 0, key: call.id };
    const created = new Map<string, number>();
    const row = this.put(
      'guides',
      String(guideid),
      this.#revised(made, this.#contentAfter(made, parsed.data), created),
      call.id,
    );
    return done([row], { [`tmp:${call.id}`]: guideid, ...Object.fromEntries(created) });
  }

  #contentAfter(facts: GuideFacts, body: GuideEdit | NewGuide): GuideContent {
    return applyBody(facts, body as GuideEdit, {
      image: (id) => this.#image(Number(id)),
      document: () => undefined,
      object: () => undefined,
      newLineId: () => `line-${this.#id()}`,
    });
  }

  #image(id: number) {
    const item = this.#records.get(`media/image:${id}`)?.doc as
      | { image: { id: number; guid: string; width: number; height: number } }
      | undefined;
    return item?.image;
  }

  /** The next revision of a guide; changed and new steps get new revisions too. */
  #revised(facts: GuideFacts, content: GuideContent, created: Map<string, number>): GuideFacts {
    const old = new Map(facts.steps.map((step) => [stepKeyOf(step), step]));
    const before = new Map(contentOf(facts).steps.map((step) => [step.key, step]));
    const steps = content.steps.map((step): StepFacts => {
      const known = old.get(step.key);
      if (known !== undefined && sameValue(before.get(step.key), step)) return known;
      const { key, ...fields } = step;
      const stepid = known?.stepid ?? this.#id();
      if (known === undefined) created.set(key.startsWith('tmp:') ? key : `tmp:${key}`, stepid);
      const lines = fields.lines.map((line) => ({ ...line, lineid: null }));
      const isNamed = known === undefined || known.key !== undefined;
      const media = fields.media as StepFacts['media'];
      return { ...fields, media, lines, stepid, revisionid: this.#id(), ...(isNamed ? { key } : {}) };
    });
    const { steps: _steps, featured_documentid: _featured, prerequisites, ...fields } = content;
    const revisionid = this.#id();
    const modified_date = Math.floor(this.now / 1000);
    return {
      ...facts,
      ...fields,
      prerequisites: prerequisites.map(Number),
      steps,
      revisionid,
      guide_revisionid: revisionid,
      modified_date,
    };
  }

  #reviseGuide(call: Call, id: string, part: string): Answer {
    if (!this.#has('guides', id)) return refused(404, 'Guide not found');
    const facts = this.guide(Number(id));
    if (!/^\d+$/.test(call.query['revisionid'] ?? '')) return refused(422, 'revisionid must be a number');
    const isCurrent = Number(call.query['revisionid']) === facts.revisionid;
    const conflict = (): Answer => ({
      ...refused(409, 'Conflict'),
      rows: [must(this.#records.get(`guides/${id}`), 'row')],
    });
    if (part === 'public') {
      if (!isCurrent) return conflict();
      const next = { ...facts, public: call.method === 'PUT', revisionid: this.#id() };
      return done([this.put('guides', id, next, call.id)], {});
    }
    if (call.method === 'DELETE')
      return isCurrent ? done([this.remove('guides', id, call.id)], {}) : conflict();
    const parsed = guideEdit.safeParse(call.body);
    if (!parsed.success) return refused(422, parsed.error.message);
    if (!isCurrent || !namesAllSteps(facts, parsed.data)) return conflict();
    const created = new Map<string, number>();
    const next = this.#revised(facts, this.#contentAfter(facts, parsed.data), created);
    return done([this.put('guides', id, next, call.id)], Object.fromEntries(created));
  }

  #mark(kind: 'favorite' | 'completion', guideid: string, call: Call): Answer {
    const id = `${kind}:${guideid}`;
    if (!this.#has('guides', guideid)) return refused(404, 'Guide not found');
    if (call.method === 'DELETE') return done([this.remove('viewer', id, call.id)], {});
    return done(
      [this.put('viewer', id, { kind, guideid: Number(guideid), date: this.#date() }, call.id)],
      {},
    );
  }

  #tag(call: Call, of: 'guide' | 'wiki', about: string): Answer {
    if (!this.#has(`${of}s`, about)) return refused(404, 'Not found');
    const id = `${of}Tags:${about}`;
    const { tag } = call.body as { tag: string };
    const known = this.#has('viewer', id) ? this.#read<{ tags: string[] }>('viewer', id).tags : [];
    const rest = known.filter((one) => one !== tag);
    if (call.method === 'DELETE' && rest.length === known.length) return refused(404, 'Tag not found');
    const tags = call.method === 'PUT' ? [...rest, tag].toSorted() : rest;
    return done(
      [this.put('viewer', id, { kind: `${of}Tags`, [`${of}id`]: Number(about), tags }, call.id)],
      {},
    );
  }

  wiki(wikiid: number): WikiFacts {
    return this.#read<WikiFacts>('wikis', wikiid);
  }

  #wikiid(namespace: string, title: string): string {
    const row = [...this.#records.values()].find(({ c, doc }) => {
      const facts = c === 'wikis' ? (doc as WikiFacts | undefined) : undefined;
      return facts?.namespace === namespace && facts.title === decodeURIComponent(title);
    });
    return row?.id ?? '';
  }

  #wiki(call: Call, id: string, userid: number): Answer {
    if (call.method === 'POST') {
      const { contents, namespace, title, image, documents, ...fields } = newWiki.parse(call.body);
      const source = this.rowsAfter(0)
        .flatMap(({ c, doc }) => (c === 'wikis' && doc !== undefined ? [doc as WikiFacts] : []))
        .find(({ revisionid }) => revisionid === fields.source_revisionid);
      if (source === undefined && this.#wikiid(namespace, encodeURIComponent(title)) !== '')
        return refused(422, 'The title is taken');
      const wikiid = this.#id();
      const blank = { ...(source ?? wikiOf(wikiid, namespace, title)), wikiid, userid, key: call.id };
      const files = this.#filesOf({ image, documents });
      const made = { ...blank, ...fields, ...files, contents_raw: contents, revisionid: this.#id() };
      return done([this.put('wikis', String(wikiid), made, call.id)], { [`tmp:${call.id}`]: wikiid });
    }
    if (!this.#has('wikis', id)) return refused(404, 'Wiki not found');
    const facts = this.wiki(Number(id));
    if (call.query['revisionid'] !== String(facts.revisionid))
      return { ...refused(409, 'Conflict'), rows: [must(this.#records.get(`wikis/${id}`), 'row')] };
    if (call.method === 'DELETE') return done([this.remove('wikis', id, call.id)], {});
    const { contents, image, documents, ...fields } = wikiEdit.parse(call.body);
    const files = this.#filesOf({ image, documents });
    const next = {
      ...facts,
      ...fields,
      ...files,
      userid,
      revisionid: this.#id(),
      modified_date: this.#date(),
    };
    const written = contents === undefined ? next : { ...next, contents_raw: contents };
    return done([this.put('wikis', id, written, call.id)], {});
  }

  /** Shows the waiting version to everyone, or restores an earlier one; `revisionid` names the newest. */
  #wikiVersion(call: Call, id: string, what: string): Answer {
    if (!this.#has('wikis', id)) return refused(404, 'Wiki not found');
    const { unpatrolled, ...shown } = this.wiki(Number(id));
    if (call.query['revisionid'] !== String(unpatrolled?.revisionid ?? shown.revisionid))
      return { ...refused(409, 'Conflict'), rows: [must(this.#records.get(`wikis/${id}`), 'row')] };
    if (what === 'patrol') return done([this.put('wikis', id, unpatrolled ?? shown, call.id)], {});
    const contents_raw = `As in version ${call.query['to_revisionid']}`;
    return done([this.put('wikis', id, { ...shown, contents_raw, revisionid: this.#id() }, call.id)], {});
  }

  /** The files that an edit of a page names by number. */
  #filesOf({ image, documents }: Pick<WikiEdit, 'image' | 'documents'>): Partial<WikiFacts> {
    return {
      ...(image === undefined ? {} : { image: image === null ? null : must(this.#image(image), 'picture') }),
      ...(documents === undefined
        ? {}
        : {
            documents: documents.map((one) => {
              const id = typeof one === 'number' ? one : one.documentid;
              return documentOf(
                this.#read<{ documentid: number; guid: string; filename: string }>('media', `document:${id}`),
              );
            }),
          }),
    };
  }

  #date(): number {
    return Math.floor(this.now / 1000);
  }

  #upload(call: Call, userid: number): Answer {
    const id = this.#id();
    if (call.path.endsWith('/documents')) return this.#keepDocument(call, id, userid);
    const image = { id, guid: `picture${id}`, width: 1600, height: 1200 };
    const item = {
      kind: 'image',
      image,
      userid,
      filename: call.query['file'] ?? '',
      size: 3,
      sha256: '',
      key: call.id,
    };
    return done([this.put('media', `image:${id}`, item, call.id)], { [`tmp:${call.id}`]: id });
  }

  #keepDocument(call: Call, documentid: number, userid: number): Answer {
    const file = { guid: `document${documentid}`, filename: call.query['file'] ?? '', size: 3, sha256: '' };
    const item = { kind: 'document', documentid, userid, key: call.id, ...file };
    return done([this.put('media', `document:${documentid}`, item, call.id)], {
      [`tmp:${call.id}`]: documentid,
    });
  }

  #comment(call: Call, second: string, third: string, userid: number): Answer {
    const body = call.body as { text: string; parentid?: number };
    if (call.method === 'POST') {
      const commentid = this.#id();
      const onStep = second === 'step';
      const guides = this.rowsAfter(0).flatMap((row) =>
        row.c === 'guides' && row.doc !== undefined ? [row.doc as GuideFacts] : [],
      );
      const guide = guides.find((one) =>
        onStep ? one.steps.some(({ stepid }) => stepid === Number(third)) : one.guideid === Number(third),
      );
      const isThere = second === 'wiki' ? this.#has('wikis', third) : guide !== undefined;
      if (!isThere) return refused(404, 'Not found');
      const facts: CommentFacts = {
        commentid,
        key: call.id,
        langid: 'en',
        context: second === 'wiki' ? 'wiki' : onStep ? 'step' : 'guide',
        contextid: Number(third),
        guideid: second === 'wiki' ? null : (guide?.guideid ?? null),
        parentid: body.parentid ?? null,
        userid,
        text_raw: body.text,
        date: this.#date(),
        modified_date: this.#date(),
        replied_date: 0,
        rating: 0,
        status: '',
        status_reason: null,
      };
      return done([this.put('comments', String(commentid), facts, call.id)], {
        [`tmp:${call.id}`]: commentid,
      });
    }
    if (!this.#has('comments', second)) return refused(404, 'Comment not found');
    const facts = this.#read<CommentFacts>('comments', second);
    if (this.now - facts.date * 1000 > 5 * 60_000)
      return refused(403, 'A comment can be edited within five minutes of posting it');
    if (call.method === 'DELETE') return done([this.remove('comments', second, call.id)], {});
    return done(
      [
        this.put(
          'comments',
          second,
          { ...facts, text_raw: body.text, modified_date: this.#date() + 1 },
          call.id,
        ),
      ],
      {},
    );
  }

  #workLog(call: Call, id: string, part: string, userid: number): Answer {
    if (id === '') return this.#startEntry(call, userid);
    if (!this.#has('workLog', id)) return refused(404, 'Entry not found');
    const facts = this.entry(Number(id));
    const parsed = part === 'stepData' ? stepData.safeParse(call.body) : moment.safeParse(call.body);
    if (!parsed.success) return refused(422, parsed.error.message);
    const type = (part === 'stepData' ? 'data' : part) as EntryMove;
    const refusal = moveRefusal(facts, type, userid);
    if (refusal === 'conflict')
      return { ...refused(409, 'Conflict'), rows: [must(this.#records.get(`workLog/${id}`), 'row')] };
    if (refusal === 'invalid') return refused(422, `The entry cannot ${part}`);
    const { fields, ...when } = parsed.data as Moment & { fields?: Record<string, unknown> };
    const data =
      fields === undefined
        ? undefined
        : Object.entries(fields).map(([revision, value]) => this.#value(facts, revision, value));
    const next = appendEvent(facts, { type, userid, moment: when, data }, this.now);
    return done([this.put('workLog', id, next, call.id)], {});
  }

  #startEntry(call: Call, userid: number): Answer {
    const parsed = newEntry.safeParse(call.body);
    if (!parsed.success) return refused(422, parsed.error.message);
    const { guideid, workorderid, guide_revisionid, join_code: _code, ...when } = parsed.data;
    const entryid = this.#id();
    const empty: EntryFacts = {
      entryid,
      key: call.id,
      guideid: must(guideid, 'guideid'),
      workorderid: must(workorderid, 'workorderid'),
      guide_revisionid: guide_revisionid ?? 1,
      max_form_revisionid: 1,
      handoffid: null,
      events: [],
      images: [],
    };
    const facts = appendEvent(empty, { type: 'start', userid, moment: when }, this.now);
    return done([this.put('workLog', String(entryid), facts, call.id)], { [`tmp:${call.id}`]: entryid });
  }

  #value({ guideid }: EntryFacts, revision: string, value: unknown): WorkDataValue {
    const forms = this.rowsAfter(0).flatMap((row) => (row.c === 'stepForms' ? [row.doc as StepForm] : []));
    const form = must(
      forms.find((one) => one.guideid === guideid && one.fields.some(isRevision(revision))),
      'form',
    );
    const { field_revisionid, field_guid, field_type, label } = must(
      form.fields.find(isRevision(revision)),
      'field',
    );
    return { field_revisionid, field_guid, field_type, label, stepid: form.stepid, value: String(value) };
  }
}

function isRevision(revision: string): (field: FormField) => boolean {
  return (field) => String(field.field_revisionid) === revision;
}

function namesAllSteps(facts: GuideFacts, { steps, removed_steps }: GuideEdit): boolean {
  if (steps === undefined && removed_steps === undefined) return true;
  const named = [...(steps ?? []), ...(removed_steps ?? [])].flatMap((step) =>
    'stepid' in step ? [step] : [],
  );
  const revisions = new Map(facts.steps.map(({ stepid, revisionid }) => [stepid, revisionid]));
  return (
    named.length === revisions.size && named.every((step) => revisions.get(step.stepid) === step.revisionid)
  );
}

function done(rows: FeedRow[], created: Record<string, number>): Answer {
  return { status: 200, headers: {}, body: undefined, rows, created, replayed: false };
}

function refused(status: number, message: string): Answer {
  return { status, headers: {}, body: { message }, rows: [], created: {}, replayed: false };
}

/** An empty wiki page. */
export function wikiOf(wikiid: number, namespace: WikiNamespace, title: string): WikiFacts {
  return {
    wikiid,
    revisionid: wikiid * 10,
    namespace,
    title,
    display_title: '',
    langid: 'en',
    parent: null,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
    userid: 2,
    created_date: 1_760_000_000,
    modified_date: 1_760_000_000,
  };
}
