import { createHash } from 'node:crypto';

import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import type { ConflictChoice, GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import type { CommentView, PlayableGuide } from '#desktop/engine/api/records.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { Problem } from '#shared/api/problem.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import { applyEdit, madeFrom, type GuideContent, type GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { choiceFor, textOf } from '../choices.ts';
import type { Doing } from './plan.ts';
import { pngFile } from './png.ts';
import { wordOf, wordsIn } from './words.ts';

/** A word that a person wrote with an action, and where. */
export interface Written {
  word: string;
  kind: 'guide' | 'comment' | 'tag' | 'order' | 'value' | 'page' | 'draft';
}

/** The result of an action. */
export interface Done {
  /** A description for the trace; null: there was nothing to act on. */
  what: string | null;
  written: Written[];
  /** Words that the person removed with it. */
  takenBack: string[];
  /** Words of a displayed decision. */
  decided: string[];
  /** Words on both sides of a decision that keeps both: once for each additional occurrence. */
  joined: string[];
  /** Words that a decision kept although the server's version no longer has them and this save did not write them. */
  keptOld: string[];
  /** The message of a refusal by the app. */
  refused: string | null;
  /** Facts for later checks. */
  facts: {
    /** A mark of a guide was set or removed. */
    mark?: { kind: 'favorite' | 'complete'; guideid: string; on: boolean };
    move?: [string, string];
    /** A comment with the first text now has the second one, or (null) is deleted. */
    comment?: [string, string | null];
    /** The comment's new text replaces a refused one: other texts may have followed that. */
    isCorrection?: boolean;
    /** Id of a deleted comment, as the device knew it then. */
    deleted?: string;
    /** Id, of the same kind, of a comment whose deletion was refused and discarded. */
    undeleted?: string;
    /** An order that may exist twice from now on, because a person saved theirs as another. */
    copied?: string;
    /** SHA-256 of a recorded file. */
    file?: string;
  };
}

/** Maximum words of a text. */
const longestText = 30;
/** Maximum words of a title or summary: the server accepts 150 characters. */
const longestTitle = 12;

type Seen<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

export interface UserSession {
  actions: Actions;
  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<Seen<V>>;
  /** Ids of guides that had a draft on this device. */
  drafts: Set<string>;
}

export function nothingDone(): Done {
  return {
    what: null,
    written: [],
    takenBack: [],
    decided: [],
    joined: [],
    keptOld: [],
    refused: null,
    facts: {},
  };
}

/** Performs a person's action. Refusals of the app are part of the result; any other error is thrown. */
export async function act(userSession: UserSession, doing: Doing, done: Done): Promise<Done> {
  try {
    await new Acting(userSession, doing, done).act();
  } catch (error) {
    const { words, detail } = troubleOf(error);
    // An error without a message of the app is a fault.
    if (words.startsWith('Something went wrong') && !isOldRefusal(error)) throw error;
    done.refused = detail === null ? words : `${words} ${detail.slice(0, 60)}`;
  }
  return done;
}

/** A refusal of the old app, which has its own error classes. */
function isOldRefusal(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Problem) && error.name === 'Problem';
}

class Acting {
  readonly #userSession: UserSession;
  readonly #doing: Doing;
  readonly #done: Done;

  constructor(userSession: UserSession, doing: Doing, done: Done) {
    this.#userSession = userSession;
    this.#doing = doing;
    this.#done = done;
  }

  async act(): Promise<void> {
    const { actions } = this.#userSession;
    switch (this.#doing.kind) {
      case 'new-guide':
        return this.#newGuide();
      case 'save-guide':
        return this.#edit(true);
      case 'edit-draft':
        return this.#edit(false);
      case 'save-draft':
        return this.#withDraft('save-draft', (id) => actions.saveDraft(id));
      case 'discard-draft':
        return this.#discardDraft();
      case 'publish':
        return this.#publish();
      case 'comment':
        return this.#comment();
      case 'edit-comment':
        return this.#editComment();
      case 'remove-comment':
        return this.#removeComment();
      case 'reply':
        return this.#comment(true);
      case 'tag':
        return this.#tag();
      case 'favorite':
        return this.#favorite();
      case 'complete':
        return this.#complete();
      case 'start-order':
        return this.#startOrder();
      case 'move-order':
        return this.#moveOrder();
      case 'step-order':
        return this.#stepOrder();
      case 'value':
        return this.#value();
      case 'photo':
        return this.#photo();
      case 'picture':
        return this.#picture();
      case 'own-order':
        return this.#frozenOrder();
      case 'page-save':
        return this.#savePage();
      case 'new-page':
        return this.#newPage();
      case 'item-part':
        return this.#savePart();
      case 'decide':
        return this.#decide();
      case 'retry':
        return this.#withParked('retry', (id) => actions.retryCall(id));
      case 'retry-all':
        this.#say('retry-all');
        await actions.sendAllAgain();
        return;
      case 'export-call':
        return this.#withParked('export', async (id) => void (await actions.exportCall(id)));
      case 'discard-call':
        return this.#discardCall();
      case 'edit-call':
        return this.#editCall();
      case 'sync-now':
        this.#say('sync-now');
        return actions.syncNow();
      case 'look-at-guide':
        this.#say('look');
        return void (await this.#guide());
      default:
        return;
    }
  }

  #say(what: string): void {
    this.#done.what = what;
  }

  #pick(nth: number): number {
    return this.#doing.picks[nth] ?? 0;
  }

  #one<T>(items: readonly T[], nth: number): T | undefined {
    return items.length === 0 ? undefined : items[this.#pick(nth) % items.length];
  }

  #word(kind: Written['kind'], nth = 0): string {
    const word = wordOf(this.#doing.id, nth);
    this.#done.written.push({ word, kind });
    return word;
  }

  async #guideid(): Promise<string | undefined> {
    const { guides } = await this.#userSession.look('library', { category: null });
    const named = guides.find(({ guideid }) => guideid === String(this.#doing.guide));
    return (named ?? this.#one(guides, 0))?.guideid;
  }

  async #guide(): Promise<PlayableGuide | null> {
    const id = await this.#guideid();
    return id === undefined ? null : this.#userSession.look('guide', id);
  }

  /** A key for a new step or line; not a word of the person. */
  #key(nth: number): string {
    return `key-${this.#doing.id}-${nth}`;
  }

  async #newGuide(): Promise<void> {
    const { actions } = this.#userSession;
    const id = await actions.openDraft(null);
    this.#userSession.drafts.add(id);
    const word = this.#word('guide');
    this.#say(`new-guide ${word}`);
    await actions.editDraft(id, { op: 'setText', field: 'title', value: `Guide ${word}` });
    await actions.editDraft(id, { op: 'setField', field: 'category', value: 'Radio' });
    for (let n = 1; n <= this.#pick(1) % 3; n += 1) {
      const title = `Step ${this.#word('guide', n)}`;
      await actions.editDraft(id, {
        op: 'insertStep',
        index: n - 1,
        step: {
          key: this.#key(n),
          title,
          lines: [],
          media: { type: 'image', data: [] },
          time_estimate: 0,
        },
      });
    }
    await actions.saveDraft(id);
    if (this.#pick(2) % 3 > 0) await actions.publish(id, true);
  }

  async #edit(saves: boolean): Promise<void> {
    const { actions } = this.#userSession;
    const guide = await this.#guide();
    if (guide === null || !guide.canEdit || guide.editState === 'conflict') return;
    const id = await actions.openDraft(guide.guideid);
    this.#userSession.drafts.add(id);
    const draft = await this.#userSession.look('draft', id);
    if (draft === null) return;
    const wanted = this.#operation(draft.content);
    if (wanted === null) return;
    const operation = madeFrom(wanted, draft.content);
    this.#say(`${saves ? 'save' : 'edit'} ${operation.op} ${wordOf(this.#doing.id)} on ${guide.title}`);
    const left = new Set(wordsIn(JSON.stringify(applyEdit(draft.content, operation))));
    this.#done.takenBack.push(...wordsIn(JSON.stringify(draft.content)).filter((word) => !left.has(word)));
    await actions.editDraft(id, operation);
    if (saves) await actions.saveDraft(id);
  }

  #operation(content: GuideContent): GuideEditOperation | null {
    const step = this.#one(content.steps, 2);
    const line = step === undefined ? undefined : this.#one(step.lines, 3);
    const replaces = this.#pick(4) % 3 === 0;
    const changed = (text: string, most = longestText): string => {
      const word = this.#word('guide');
      if (replaces) return word;
      const words = text
        .split(' ')
        .filter((one) => one !== '')
        .slice(0, most - 1);
      return words.toSpliced(this.#pick(5) % (words.length + 1), 0, word).join(' ');
    };
    switch (this.#pick(1) % 12) {
      case 0:
        return { op: 'setText', field: 'introduction_raw', value: changed(content.introduction_raw) };
      case 1:
        return { op: 'setText', field: 'summary', value: changed(content.summary, longestTitle) };
      case 2:
        return { op: 'setText', field: 'conclusion_raw', value: changed(content.conclusion_raw) };
      case 3:
        if (content.steps.length > 8) return null;
        return {
          op: 'insertStep',
          index: this.#pick(2) % (content.steps.length + 1),
          step: {
            key: this.#key(0),
            title: this.#word('guide'),
            lines: [],
            media: { type: 'image', data: [] },
            time_estimate: 0,
          },
        };
      case 4:
        return step === undefined || content.steps.length < 3 ? null : { op: 'removeStep', step: step.key };
      case 5:
        return step === undefined
          ? null
          : { op: 'moveStep', step: step.key, index: this.#pick(3) % content.steps.length };
      case 6:
        return step === undefined
          ? null
          : { op: 'setStepTitle', step: step.key, value: changed(step.title, longestTitle) };
      case 7:
        if (step === undefined || step.lines.length > 3) return null;
        return {
          op: 'insertLine',
          step: step.key,
          index: this.#pick(3) % (step.lines.length + 1),
          line: {
            id: this.#key(0),
            bullet: 'black',
            level: 0,
            text_raw: this.#word('guide'),
          },
        };
      case 8:
        return step === undefined || line === undefined
          ? null
          : { op: 'removeLine', step: step.key, line: line.id };
      default:
        return step === undefined || line === undefined
          ? null
          : { op: 'setLineText', step: step.key, line: line.id, value: changed(line.text_raw) };
    }
  }

  /** A guide with edits without a save. */
  async #draft(): Promise<string | undefined> {
    const open: string[] = [];
    for (const id of this.#userSession.drafts) {
      const draft = await this.#userSession.look('draft', id);
      if (draft?.dirty === true) open.push(id);
    }
    return this.#one(open, 0);
  }

  async #withDraft(what: string, run: (id: string) => Promise<void>): Promise<void> {
    const id = await this.#draft();
    if (id === undefined) return;
    this.#say(what);
    await run(id);
  }

  async #discardDraft(): Promise<void> {
    const id = await this.#draft();
    if (id === undefined) return;
    this.#say('discard-draft');
    const draft = await this.#userSession.look('draft', id);
    this.#done.takenBack.push(...wordsIn(JSON.stringify(draft?.content)));
    await this.#userSession.actions.discardDraft(id);
  }

  async #publish(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null || !guide.canEdit) return;
    this.#say(`publish ${guide.title}`);
    await this.#userSession.actions.publish(guide.guideid, !guide.public);
  }

  async #comment(replies = false): Promise<void> {
    const guide = await this.#guide();
    if (guide === null) return;
    const word = this.#word('comment');
    const to = replies ? this.#one(guide.comments, 1)?.commentid : undefined;
    this.#say(`comment ${word} on ${guide.title}`);
    await this.#userSession.actions.comment('guide', guide.guideid, `Comment ${word}`, to);
  }

  #own(comments: readonly CommentView[]): CommentView[] {
    return comments.flatMap((one) => [one, ...one.replies]).filter(({ mine }) => mine);
  }

  /** A changeable comment of the person. */
  async #ownComment(): Promise<CommentView | undefined> {
    const { guides } = await this.#userSession.look('library', { category: null });
    const found: CommentView[] = [];
    for (const { guideid } of guides.slice(0, 40)) {
      const guide = await this.#userSession.look('guide', guideid);
      found.push(...this.#own(guide?.comments ?? []));
    }
    const editable = found.filter(({ editable: can }) => can);
    return this.#one(editable, 1);
  }

  async #editComment(): Promise<void> {
    const comment = await this.#ownComment();
    if (comment === undefined) return;
    const word = this.#word('comment');
    this.#say(`edit-comment ${comment.text} to ${word}`);
    this.#done.facts.comment = [comment.text, word];
    await this.#userSession.actions.editComment(comment.commentid, `Comment ${word}`);
  }

  async #removeComment(): Promise<void> {
    const comment = await this.#ownComment();
    if (comment === undefined) return;
    this.#say(`remove-comment ${comment.text}`);
    this.#done.facts.comment = [comment.text, null];
    this.#done.facts.deleted = comment.commentid;
    await this.#userSession.actions.removeComment(comment.commentid);
  }

  async #tag(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null || !guide.canTag) return;
    const word = this.#word('tag');
    this.#say(`tag ${word} on ${guide.title}`);
    await this.#userSession.actions.tagGuide(guide.guideid, word, true);
  }

  async #favorite(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null) return;
    const on = !guide.favorite;
    this.#say(`favorite ${guide.title} ${on}`);
    this.#done.facts.mark = { kind: 'favorite', guideid: guide.guideid, on };
    await this.#userSession.actions.favorite(guide.guideid, on);
  }

  async #complete(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null) return;
    const on = !guide.completed;
    this.#say(`complete ${guide.title} ${on}`);
    this.#done.facts.mark = { kind: 'complete', guideid: guide.guideid, on };
    await this.#userSession.actions.complete(guide.guideid, on);
  }

  async #startOrder(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null) return;
    const word = this.#word('order');
    this.#say(`start-order ${word} on ${guide.title}`);
    await this.#userSession.actions.startWorkOrder(guide.guideid, word);
  }

  async #order(): Promise<Seen<'workOrders'>[number] | undefined> {
    const orders = await this.#userSession.look('workOrders');
    const open = orders.filter(
      ({ status, mine, frozen }) =>
        !frozen && (mine || status === 'suspended') && !['finished', 'cancelled'].includes(status),
    );
    return this.#one(open, 0);
  }

  async #moveOrder(): Promise<void> {
    const order = await this.#order();
    if (order === undefined) return;
    const moves =
      order.status === 'started'
        ? (['pause', 'finish', 'suspend', 'pause'] as const)
        : order.status === 'paused'
          ? (['resume', 'resume', 'cancel'] as const)
          : (['assume'] as const);
    const move = moves[this.#pick(1) % moves.length] ?? 'pause';
    this.#say(`${move} ${order.workorderid}`);
    this.#done.facts.move = [order.workorderid, move];
    await this.#userSession.actions.moveWorkOrder(order.entryid, move);
  }

  async #stepOrder(): Promise<void> {
    const order = await this.#order();
    const guide = order === undefined ? null : await this.#userSession.look('guide', order.guideid);
    const step = this.#one(guide?.steps ?? [], 2);
    if (order === undefined || step === undefined) return;
    this.#say(`step ${order.workorderid}`);
    await this.#userSession.actions.enterStep(order.entryid, step.stepid);
  }

  async #value(): Promise<void> {
    const order = await this.#order();
    const guide = order === undefined ? null : await this.#userSession.look('guide', order.guideid);
    const fields = guide?.steps.flatMap((step) => step.fields) ?? [];
    const field = this.#one(
      fields.filter(({ field_type: type }) => type === 'Text Input'),
      2,
    );
    if (order === undefined || field === undefined) return;
    const word = this.#word('value');
    this.#say(`value ${word} of ${order.workorderid}`);
    const before = order.values[String(field.field_revisionid)]?.value ?? '';
    this.#done.takenBack.push(...wordsIn(before));
    await this.#userSession.actions.recordValue(order.entryid, field, word);
  }

  /** A unique picture; one in four is larger than a megabyte. */
  #file(): { file: Blob; sha256: string } {
    const size = this.#pick(3) % 4 === 0 ? 1100 : 12;
    const { id } = this.#doing;
    const bytes = pngFile(size, size, (x, y) => (id * 7919 + x * 31 + y * y * 17) % 256);
    return {
      file: new Blob([bytes], { type: 'image/png' }),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  }

  async #photo(): Promise<void> {
    const order = await this.#order();
    const guide = order === undefined ? null : await this.#userSession.look('guide', order.guideid);
    const fields = guide?.steps.flatMap((step) => step.fields) ?? [];
    const field = this.#one(
      fields.filter(({ field_type: type }) => type === 'Image'),
      2,
    );
    if (order === undefined || field === undefined) return;
    const { file, sha256 } = this.#file();
    this.#say(`photo of ${order.workorderid}, ${file.size} bytes`);
    await this.#userSession.actions.recordFile(order.entryid, field, file, `photo-${this.#doing.id}.png`);
    this.#done.facts.file = sha256;
  }

  async #picture(): Promise<void> {
    const guide = await this.#guide();
    if (guide === null || !guide.canEdit || guide.editState === 'conflict') return;
    const id = await this.#userSession.actions.openDraft(guide.guideid);
    this.#userSession.drafts.add(id);
    const draft = await this.#userSession.look('draft', id);
    const step = this.#one(draft?.content.steps ?? [], 2);
    if (step === undefined) return;
    const { file } = this.#file();
    this.#say(`picture on ${guide.title}, ${file.size} bytes`);
    await this.#userSession.actions.addDraftPicture(id, step.key, file, `picture-${this.#doing.id}.png`);
    await this.#userSession.actions.saveDraft(id);
  }

  /** An order taken over by another person: the person saves it as their own, or discards their work. */
  async #frozenOrder(): Promise<void> {
    const orders = await this.#userSession.look('workOrders');
    const order = this.#one(
      orders.filter(({ frozen }) => frozen),
      0,
    );
    if (order === undefined) return;
    const { actions } = this.#userSession;
    const saves = this.#pick(1) % 3 > 0;
    this.#say(`${saves ? 'save as own' : 'drop'} ${order.workorderid}`);
    await actions.exportOrder(order.entryid);
    const texts = Object.values(order.values).map(({ value }) => value);
    this.#done.facts.copied = order.workorderid;
    if (saves) return void (await actions.saveAsOwnOrder(order.entryid));
    this.#done.takenBack.push(...texts.flatMap(wordsIn));
    await actions.discardOrder(order.entryid);
  }

  async #savePage(): Promise<void> {
    const card = this.#one(await this.#userSession.look('pages', 'INFO'), 0);
    const page = card === undefined ? null : await this.#userSession.look('page', card.wikiid);
    if (page === null || page.editState === 'conflict' || !page.canEdit) return;
    const word = this.#word('page');
    const { displayTitle, description, contents } = page.text;
    const words = contents.split(' ').filter((one) => one !== '');
    const replaces = this.#pick(1) % 4 === 0;
    const at = this.#pick(2) % (words.length + 1);
    const next = words.toSpliced(at, replaces ? 1 : 0, word).join(' ');
    this.#say(`page ${word} on ${page.title}`);
    const text = { displayTitle, description, contents: next };
    const left = new Set(wordsIn(next));
    this.#done.takenBack.push(...wordsIn(contents).filter((one) => !left.has(one)));
    await this.#userSession.actions.savePage(page.wikiid, text);
  }

  async #newPage(): Promise<void> {
    const word = this.#word('page');
    this.#say(`new-page ${word}`);
    const text = { displayTitle: '', description: '', contents: `Page ${word}` };
    await this.#userSession.actions.createPage('INFO', `Page ${word}`, text);
  }

  /** The page of an item lists parts: the person writes where one of them is sold. */
  async #savePart(): Promise<void> {
    const card = this.#one(await this.#userSession.look('pages', 'ITEM'), 0);
    const page = card === undefined ? null : await this.#userSession.look('page', card.wikiid);
    if (page === null || page.editState === 'conflict' || !page.canEdit) return;
    const { displayTitle, description, contents, suppliers } = page.text;
    const part = this.#one(suppliers, 1);
    if (part === undefined) return;
    const word = this.#word('page');
    this.#say(`item-part ${word} of ${part['part_#']} on ${page.title}`);
    this.#done.takenBack.push(...wordsIn(part.url));
    const changed = { ...part, url: `https://parts.example/${word}` };
    const parts = suppliers.map((one) => (one === part ? changed : one));
    await this.#userSession.actions.savePage(page.wikiid, {
      displayTitle,
      description,
      contents,
      suppliers: parts,
    });
  }

  async #withParked(what: string, run: (id: string) => Promise<void>): Promise<void> {
    const activity = await this.#userSession.look('activity');
    const item = this.#one(
      activity.filter(({ state }) => state === 'parked'),
      0,
    );
    if (item === undefined) return;
    this.#say(what);
    await run(item.id);
  }

  async #discardCall(): Promise<void> {
    const activity = await this.#userSession.look('activity');
    const item = this.#one(
      activity.filter(({ state }) => state === 'parked'),
      0,
    );
    if (item === undefined) return;
    this.#say('discard-call');
    const lost = [item, ...activity.filter((other) => goesAlong(other, item))];
    this.#done.takenBack.push(...wordsIn(JSON.stringify(lost)));
    // A deletion does not contain the words of its comment.
    const comment =
      item.call.method === 'DELETE' ? /^\/comments\/([^/]+)$/.exec(item.call.path)?.[1] : undefined;
    if (comment !== undefined) this.#done.facts.undeleted = comment;
    await this.#userSession.actions.discardCall(item.id);
  }

  async #editCall(): Promise<void> {
    const activity = await this.#userSession.look('activity');
    const parked = activity.filter(
      ({ state, kind, call }) => state === 'parked' && kind === 'comment' && call.method !== 'DELETE',
    );
    const item = this.#one(parked, 0);
    if (item === undefined) return;
    const word = this.#word('comment');
    this.#say('edit-call');
    this.#done.facts.comment = [JSON.stringify(item.call.body), word];
    this.#done.facts.isCorrection = true;
    await this.#userSession.actions.editCall(item.id, { ...Object(item.call.body), text: `Comment ${word}` });
  }

  async #decide(): Promise<void> {
    await decideOne(this.#userSession, this.#doing.picks, this.#done, (id) =>
      this.#say(`decide about ${id}`),
    );
  }
}

/** Whether a waiting change is of a work order, guide or page that only the discarded call would have created. */
function goesAlong(other: ActivityItem, made: ActivityItem): boolean {
  const isWaiting = ['queued', 'parked', 'waits-for-sign-in'].includes(other.state);
  const isSame = (['entryid', 'guideid', 'wikiid'] as const).some(
    (name) => made[name] === `tmp:${made.id}` && other[name] === made[name],
  );
  return isWaiting && other.kind === made.kind && isSame;
}

/** Decides one conflict, if there is one; `done` first gets its words. */
export async function decideOne(
  userSession: UserSession,
  picks: readonly number[],
  done: Pick<Done, 'decided' | 'joined' | 'keptOld'>,
  told: (what: string) => void = () => undefined,
): Promise<boolean> {
  const activity = await userSession.look('activity');
  const ids = activity
    .filter(({ state, id }) => state === 'needs-decision' && id.startsWith('conflict:'))
    .map(({ id }) => id.slice('conflict:'.length));
  const open = [...new Set(ids)];
  const id = open[(picks[0] ?? 0) % Math.max(1, open.length)];
  const found = id === undefined ? null : await userSession.look('conflict', id);
  const conflict = found?.conflicts[(picks[1] ?? 0) % Math.max(1, found.conflicts.length)];
  if (id === undefined || conflict === undefined) return false;
  const choice: ConflictChoice = choiceFor(conflict, picks[2] ?? 0, 0);
  told(id);
  for (const text of [textOf(conflict.mine), textOf(conflict.theirs), conflict.base])
    done.decided.push(...wordsIn(text));
  if (choice.take === 'both') done.joined.push(...joinedWords(conflict));
  if (choice.take === 'both' || choice.take === 'mine') done.keptOld.push(...keptOldWords(conflict));
  await userSession.actions.resolveConflict(id, conflict.conflictid, choice);
  return true;
}

/** Words of one side that the other has too: both texts are kept, and both contain them. */
function joinedWords({ mine, theirs }: Pick<GuideConflictView, 'mine' | 'theirs'>): string[] {
  const own = new Set([...mine, ...theirs].flatMap(({ text, by }) => (by === 'base' ? [] : wordsIn(text))));
  const left = wordsIn(textOf(theirs));
  return wordsIn(textOf(mine)).filter((word) => {
    const at = left.indexOf(word);
    if (at < 0 || !own.has(word)) return false;
    left.splice(at, 1);
    return true;
  });
}

/**
 * Contested words that the save contained and the server's version no longer has: `suggestion` contains all contested
 * words.
 */
function keptOldWords({
  kind,
  mine,
  theirs,
  suggestion,
}: Pick<GuideConflictView, 'kind' | 'mine' | 'theirs' | 'suggestion'>): string[] {
  if (kind !== 'words') return [];
  const there = new Set(wordsIn(textOf(theirs)));
  const suggested = new Set(wordsIn(textOf(suggestion)));
  return mine
    .flatMap(({ text, by }) => (by === 'base' ? wordsIn(text) : []))
    .filter((word) => !there.has(word) && suggested.has(word));
}
