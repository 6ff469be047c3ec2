import type { Live } from './engine.ts';

/** The text of a form that was neither saved nor discarded. */
export interface UnsavedForm {
  /** What the person typed, as the form stores it. */
  typed: unknown;
  /** The record's text when editing began. */
  start: unknown;
  /** The revision of `start`; 0 if it has none. */
  revisionid: number;
  /** The page that is edited; null for any other form. */
  wikiid: string | null;
  /** When it was typed, ms since 1970. */
  at: number;
  /** The files that `typed` names (`keepFormFile`). */
  files?: readonly string[];
}

/** A form with its id: the form and its record. */
export interface NamedForm {
  id: string;
  form: UnsavedForm;
}

export interface FormViews {
  /** The unsaved text of a form of the signed-in person; null if there is none. `id`: the form and its record. */
  unsavedForm(id: string): Live<UnsavedForm | null>;
  /** The unsaved forms of the signed-in person whose ids begin so. */
  unsavedForms(prefix: string): Live<readonly NamedForm[]>;
  /** Whether something that the person entered is only in memory, because it is being stored or could not be stored. */
  holdsUnstored(): Live<boolean>;
}

export interface FormActions {
  /** Resolves when the text of a form is journalled; null forgets it. What the disk refuses is stored as soon as possible. */
  keepForm(id: string, form: UnsavedForm | null): Promise<void>;
  /**
   * Stores a file beside the journal for a form that is about to name it in its `files`, and returns its id. It is deleted when
   * that form no longer names it.
   */
  keepFormFile(file: File): Promise<string>;
  /** A file that a form names. Throws `JournalError` when it is missing or damaged. */
  formFile(id: string): Promise<File>;
  /** Stores forms of an earlier version of the app, except for those that have a text here. */
  adoptForms(forms: ReadonlyMap<string, UnsavedForm>): Promise<void>;
}
