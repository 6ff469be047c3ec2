import type { Decided, Done, Written } from './doings/done.ts';
import { wordsIn } from './words.ts';

/** A written word and what is known about it. */
export interface Word {
  word: string;
  kind: Written['kind'];
  person: string;
  /** Number of the device; null: written without one. */
  device: number | null;
  /** Start of the action, virtual ms since 1970. */
  at: number;
  /** Whether the app said that it is saved. */
  isAcknowledged: boolean;
  /** Why nobody needs to keep it any more. */
  gone: string | null;
}

/** Stands for a refusal when the app died during the action. */
export const died = 'died';

/** A change or deletion of a comment, and its outcome. */
interface CommentChange {
  person: string;
  isCorrection: boolean;
  done: Done;
}

/** A person's action on a mark of a guide. */
export interface MarkChange {
  device: number;
  on: boolean;
  /** Start of the action, virtual ms since 1970. */
  at: number;
  /** Whether the app said that it is saved. */
  isAcknowledged: boolean;
}

/**
 * Actions of every person: what the checks know besides stored and shown data. An action is recorded at its end;
 * while its device was suspended, others may have received its words, and their actions are recorded before it.
 */
export class Ledger {
  readonly words = new Map<string, Word>();
  /** Reasons to give up words whose own action is not recorded yet. */
  readonly #goneEarly = new Map<string, string>();
  /** Transitions of work orders that were made, or may have been, by their number, in order. */
  readonly moves = new Map<string, string[]>();
  /** Who made them, and at which device, by number and kind of the transition. */
  readonly movers = new Map<string, { person: string; device: number }[]>();
  /** Decisions about deviations that were made, or may have been, by the word of their reason. */
  readonly decisions = new Map<string, Decided & { person: string }>();
  /** Reasons for missing values, by their word. */
  readonly reasons = new Map<string, { order: string; field: number }>();
  /** Recorded files, by SHA-256. */
  readonly files = new Map<string, { person: string; device: number }>();
  /** Work orders that may exist more than once, because people kept their own. */
  readonly copied = new Set<string>();
  /** Additional occurrences of words after a decision that keeps both sides. */
  readonly #joined = new Map<string, number>();
  /** Times at which a decision kept words that the server's version no longer had, virtual ms since 1970. */
  readonly #keptOld = new Map<string, number[]>();
  /** Times of restores, virtual ms since 1970, and the words that the server had then. */
  readonly #restores: { at: number; kept: ReadonlySet<string> }[] = [];
  /** Decisions of leads to accept what a person recorded at the station. `at`: UNIX seconds. */
  readonly accepted: { person: string; at: number }[] = [];
  /** Devices that crashed or lost a file since everyone was equal. */
  readonly hurt = new Set<number>();
  /** Words of one comment in the order of writing, from any device of its author. */
  readonly #comments = new Map<string, Set<string>>();
  /** Words of comments of which any may be the last: a text in the middle was corrected. */
  readonly #corrected = new Set<string>();
  /** Words of deleted comments, by their author's last action. */
  readonly deleted = new Map<string, { person: string }>();
  /** The text of a deleted comment, by device and the id by which it knew the comment. */
  readonly #deletions = new Map<string, string>();
  /** Actions on marks since everyone was equal, by kind, guide and person, in order of their start. */
  readonly marks = new Map<string, MarkChange[]>();
  /** The outcome of marks is undetermined for actions that began before this. */
  #marksOpenUntil = 0;
  #equal: readonly (string | null)[] = [];

  /** Records a finished action of a person at a device, which began `at`. */
  note(person: string, device: number, at: number, done: Done): void {
    for (const { word, kind } of done.written)
      this.words.set(word, {
        word,
        kind,
        person,
        device,
        at,
        isAcknowledged: done.refused === null,
        gone: this.#goneEarly.get(word) ?? null,
      });
    for (const word of done.takenBack) {
      this.forgive(word, 'taken back');
      // The discarded call may be the deletion.
      this.deleted.delete(word);
    }
    for (const word of done.decided) this.forgive(word, 'decided');
    for (const word of done.joined) this.#joined.set(word, (this.#joined.get(word) ?? 0) + 1);
    for (const word of done.keptOld) this.#keptOld.set(word, [...(this.#keptOld.get(word) ?? []), at]);
    const {
      move,
      decision,
      comment,
      isCorrection = false,
      file,
      copied,
      deleted,
      undeleted,
      mark,
    } = done.facts;
    if (deleted !== undefined && comment !== undefined)
      this.#deletions.set(`${device} ${deleted}`, comment[0]);
    if (undeleted !== undefined) this.#giveUpDeletion(`${device} ${undeleted}`);
    if (done.what === 'discard-call') this.forgetMarks(at);
    const isOpen = at <= this.#marksOpenUntil;
    if (mark !== undefined && !isOpen && (done.refused === null || done.refused === died)) {
      const key = `${mark.kind} ${mark.guideid} ${person}`;
      const change = { device, on: mark.on, at, isAcknowledged: done.refused === null };
      this.marks.set(
        key,
        [...(this.marks.get(key) ?? []), change].toSorted((one, other) => one.at - other.at),
      );
    }
    if (file !== undefined && done.refused === null) this.files.set(file, { person, device });
    if (copied !== undefined) this.copied.add(copied);
    if (comment !== undefined) this.#noteComment(comment, { person, isCorrection, done });
    if (decision !== undefined && (done.refused === null || done.refused === died))
      this.decisions.set(decision.reason, { ...decision, person });
    // The app may have crashed after writing the transition and before confirming it.
    if (move !== undefined && (done.refused === null || done.refused === died)) {
      const [order, what] = move;
      for (const [word, field] of done.facts.reasons ?? []) this.reasons.set(word, { order, field });
      this.#noteMove(order, what, { person, device });
    }
    if (done.refused === null || done.refused === died)
      for (const [order, what] of done.facts.moves ?? []) this.#noteMove(order, what, { person, device });
  }

  #noteMove(order: string, what: string, mover: { person: string; device: number }): void {
    const key = `${order} ${what}`;
    this.moves.set(order, [...(this.moves.get(order) ?? []), what]);
    this.movers.set(key, [...(this.movers.get(key) ?? []), mover]);
  }

  /** All devices show the same. `people`: who is signed in at each. */
  everybodyEqual(people: readonly (string | null)[]): void {
    this.hurt.clear();
    this.marks.clear();
    this.#equal = people;
  }

  /** Whether a person was signed in at a device when everyone was equal. */
  wereEqual(device: number, person: string): boolean {
    return this.#equal[device] === person;
  }

  /** Words of which one suffices: later words of a comment, or any where several devices wrote it. */
  together(word: string): ReadonlySet<string> {
    const words = [...(this.#comments.get(word) ?? [word])];
    const devices = new Set(words.map((one) => this.words.get(one)?.device));
    const isOrdered = devices.size === 1 && !words.some((one) => this.#corrected.has(one));
    return new Set(isOrdered ? words.slice(words.indexOf(word)) : words);
  }

  /** All words of the comment with this one; only itself otherwise. */
  allTexts(word: string): ReadonlySet<string> {
    return this.#comments.get(word) ?? new Set([word]);
  }

  /** The server was restored and has the words `kept`. */
  noteRestore(kept: ReadonlySet<string>, at: number): void {
    this.#restores.push({ at, kept });
  }

  /**
   * How often a word may occur. A word lost in a restore comes back with the save that wrote it, and again with each
   * earlier text that a person decides to keep: no merge can know that both are the same word.
   */
  mostTimes({ word, at }: Word): number {
    const keptOld = (this.#keptOld.get(word) ?? []).filter((decidedAt) =>
      this.#restores.some((restore) => at < restore.at && restore.at < decidedAt && !restore.kept.has(word)),
    );
    return 1 + (this.#joined.get(word) ?? 0) + keptOld.length;
  }

  #giveUpDeletion(deletion: string): void {
    for (const word of wordsIn(this.#deletions.get(deletion) ?? ''))
      for (const one of this.#comments.get(word) ?? [word]) this.deleted.delete(one);
  }

  #noteComment([text, next]: [string, string | null], { person, isCorrection, done }: CommentChange): void {
    for (const word of wordsIn(text)) {
      const words = this.#comments.get(word) ?? new Set([word]);
      if (next === null) {
        for (const one of words) this.forgive(one, 'taken back');
        if (done.refused === null) for (const one of words) this.deleted.set(one, { person });
        continue;
      }
      // The next text may also have been changed already, on another device.
      for (const one of this.#comments.get(next) ?? [next]) words.add(one);
      // Another device of the author deleted the comment: whichever arrives last, it is gone.
      if (this.deleted.has(word)) this.forgive(next, 'taken back');
      if (isCorrection) this.#corrected.add(next);
      for (const one of words) this.#comments.set(one, words);
    }
  }

  /** A person without a device wrote a word. */
  notePlain(person: string, word: string, kind: Written['kind']): void {
    this.words.set(word, { word, kind, person, device: null, at: 0, isAcknowledged: true, gone: null });
  }

  /** Gives up everything written without a device so far that is not in `kept`: nobody can restore it. */
  forgetPlain(kept: ReadonlySet<string>): void {
    for (const one of this.words.values())
      if (one.device === null && !kept.has(one.word)) one.gone ??= 'written after the backup';
  }

  /**
   * The outcome of marks before `at` is undetermined: a change was discarded, or will be sent again to the restored
   * server in any order.
   */
  forgetMarks(at: number): void {
    this.marks.clear();
    this.#marksOpenUntil = at;
  }

  /** Gives up everything written before `at` that is not in `kept`: no device remembers what it sent then. */
  forgetSent(kept: ReadonlySet<string>, at: number): void {
    for (const one of this.words.values())
      if (one.at < at && !kept.has(one.word)) one.gone ??= 'sent too long ago to be offered again';
  }

  /** Gives up everything written and recorded on this device. */
  forgiveDevice(device: number, why: string): void {
    for (const one of this.words.values()) if (one.device === device) one.gone ??= why;
    for (const [sha256, file] of this.files) if (file.device === device) this.files.delete(sha256);
  }

  /** Gives up this word. */
  forgive(word: string, why: string): void {
    const known = this.words.get(word);
    if (known === undefined) this.#goneEarly.set(word, why);
    else known.gone ??= why;
  }
}
