import type { Done, Written } from './doings.ts';
import { wordsIn } from './words.ts';

/** A word that somebody wrote, and what is known of it. */
export interface Word {
  word: string;
  kind: Written['kind'];
  person: string;
  /** Number of the device; null: written without one. */
  device: number | null;
  /** When the action began, virtual ms since 1970. */
  at: number;
  /** The app said that it is saved. */
  isAcknowledged: boolean;
  /** Why nobody has to keep it any more. */
  gone: string | null;
}

/** Stands for a refusal where the app died in the action. */
export const died = 'died';

/** Who changed or deleted a comment, and what came of it. */
interface CommentChange {
  person: string;
  isCorrection: boolean;
  done: Done;
}

/** What a person did with a mark of a guide. */
export interface MarkChange {
  device: number;
  on: boolean;
  /** When the action began, virtual ms since 1970. */
  at: number;
  /** Whether the app said that it is saved. */
  isAcknowledged: boolean;
}

/**
 * What every person did: all that the checks know beside what is stored and shown. An action is noted when it has ended;
 * while its device stood still, others may have met what it wrote, and their actions are noted before it.
 */
export class Ledger {
  readonly words = new Map<string, Word>();
  /** Why nobody has to keep words whose own action is not noted yet. */
  readonly #goneEarly = new Map<string, string>();
  /** Moves of work orders that were made, or may have been, by their number, in this order. */
  readonly moves = new Map<string, string[]>();
  /** Files that were recorded, by SHA-256. */
  readonly files = new Map<string, { person: string; device: number }>();
  /** Work orders that there may be more than once, since people kept their own. */
  readonly copied = new Set<string>();
  /** How often words are there again since somebody kept both sides of a decision in which they stood twice. */
  readonly #joined = new Map<string, number>();
  /** When words were kept in a decision that the server's version had no longer, virtual ms since 1970. */
  readonly #keptOld = new Map<string, number[]>();
  /** When the server was restored, virtual ms since 1970, and the words that it had then. */
  readonly #restores: { at: number; kept: ReadonlySet<string> }[] = [];
  /** Devices that died or lost a file since everybody was equal. */
  readonly hurt = new Set<number>();
  /** Words of one comment, whichever of its author's devices wrote them, in the order in which they were written. */
  readonly #comments = new Map<string, Set<string>>();
  /** Words of comments of which any may be the last: a text in the middle was corrected. */
  readonly #corrected = new Set<string>();
  /** Words of comments that were deleted, by what their author did last with them. */
  readonly deleted = new Map<string, { person: string }>();
  /** What the comment of a deletion said, by the device and the id that it knew the comment by. */
  readonly #deletions = new Map<string, string>();
  /** What was done with marks since everybody was equal, by kind, guide and person, in the order in which it began. */
  readonly marks = new Map<string, MarkChange[]>();
  /** What becomes of marks is open where the action began until then. */
  #marksOpenUntil = 0;
  #equal: readonly (string | null)[] = [];

  /** An action of a person at a device, which began `at`, ended. */
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
      // What is discarded may be the deletion.
      this.deleted.delete(word);
    }
    for (const word of done.decided) this.forgive(word, 'decided');
    for (const word of done.joined) this.#joined.set(word, (this.#joined.get(word) ?? 0) + 1);
    for (const word of done.keptOld) this.#keptOld.set(word, [...(this.#keptOld.get(word) ?? []), at]);
    const { move, comment, isCorrection = false, file, copied, deleted, undeleted, mark } = done.facts;
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
    // The app may have died when it had written the move, and before it said so.
    if (move !== undefined && (done.refused === null || done.refused === died)) {
      const [order, what] = move;
      this.moves.set(order, [...(this.moves.get(order) ?? []), what]);
    }
  }

  /** All devices show the same. `people`: who is signed in at each. */
  everybodyEqual(people: readonly (string | null)[]): void {
    this.hurt.clear();
    this.marks.clear();
    this.#equal = people;
  }

  /** Whether a person was signed in at a device when everybody was equal. */
  wereEqual(device: number, person: string): boolean {
    return this.#equal[device] === person;
  }

  /** Words of which one is enough: of a comment those that were written later, or any where several devices wrote them. */
  together(word: string): ReadonlySet<string> {
    const words = [...(this.#comments.get(word) ?? [word])];
    const devices = new Set(words.map((one) => this.words.get(one)?.device));
    const isOrdered = devices.size === 1 && !words.some((one) => this.#corrected.has(one));
    return new Set(isOrdered ? words.slice(words.indexOf(word)) : words);
  }

  /** The server was restored and has the words `kept`. */
  noteRestore(kept: ReadonlySet<string>, at: number): void {
    this.#restores.push({ at, kept });
  }

  /**
   * How often a word may be there. One that a restored server forgot comes back with the save that wrote it, and again
   * with each text of before in which somebody decides to keep it: no merge can tell that both mean the same word.
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
      // The next text, too, may have been changed already, on another device.
      for (const one of this.#comments.get(next) ?? [next]) words.add(one);
      // Another device of the author deleted the comment: whichever of the two arrives last, it is gone.
      if (this.deleted.has(word)) this.forgive(next, 'taken back');
      if (isCorrection) this.#corrected.add(next);
      for (const one of words) this.#comments.set(one, words);
    }
  }

  /** Somebody without a device wrote a word. */
  notePlain(person: string, word: string, kind: Written['kind']): void {
    this.words.set(word, { word, kind, person, device: null, at: 0, isAcknowledged: true, gone: null });
  }

  /** Everything so far that was written without a device and is not among `kept`: nobody can bring it back. */
  forgetPlain(kept: ReadonlySet<string>): void {
    for (const one of this.words.values())
      if (one.device === null && !kept.has(one.word)) one.gone ??= 'written after the backup';
  }

  /** What becomes of marks of before `at` is open: a change was discarded, or will be offered to the server of a backup in any order. */
  forgetMarks(at: number): void {
    this.marks.clear();
    this.#marksOpenUntil = at;
  }

  /** Everything written before `at` that is not among `kept`: no device remembers what it sent then. */
  forgetSent(kept: ReadonlySet<string>, at: number): void {
    for (const one of this.words.values())
      if (one.at < at && !kept.has(one.word)) one.gone ??= 'sent too long ago to be offered again';
  }

  /** Nobody has to keep what was written and recorded on this device. */
  forgiveDevice(device: number, why: string): void {
    for (const one of this.words.values()) if (one.device === device) one.gone ??= why;
    for (const [sha256, file] of this.files) if (file.device === device) this.files.delete(sha256);
  }

  /** Nobody has to keep this word any more. */
  forgive(word: string, why: string): void {
    const known = this.words.get(word);
    if (known === undefined) this.#goneEarly.set(word, why);
    else known.gone ??= why;
  }
}
