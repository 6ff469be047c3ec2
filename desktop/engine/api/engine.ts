import type { AccountActions } from './account.ts';
import type { ApprovalActions, ApprovalViews } from './approvals.ts';
import type { ArchiveActions, ArchiveViews } from './archives.ts';
import type { AuditActions } from './audit.ts';
import type { PageActions, PageViews } from './pages.ts';
import type { SignOnActions } from './sign-on.ts';
import type { SiteActions } from './site.ts';
import type { QuizActions, TrainingServerActions, TrainingViews } from './training.ts';
import type { ConflictChoice, GuideConflicts } from './conflict-records.ts';
import type {
  DeviceCheck,
  ActivityItem,
  KeptRecord,
  Session,
  StorageState,
  SyncState,
} from './sync-records.ts';
import type { GuideSummaryCard } from './records.ts';
import type * as records from './records.ts';

/** A live value: emits the current value first, then every change. Values are frozen plain objects. */
export interface Live<T> {
  /** Returns the function that ends the subscription. */
  subscribe(next: (value: T) => void, failed: (error: Error) => void): () => void;
}

/**
 * Every live read of the app. Each value is mirror + pending calls applied on top, so what a person just did is there
 * at once, online or not. Views never wait for the network.
 */
export interface Views extends PageViews, ArchiveViews, TrainingViews, ApprovalViews {
  /** Who is signed in where; null user before sign-in. */
  session(): Live<Session>;
  /** The truth about sync, in the terms that the status line speaks. */
  syncState(): Live<SyncState>;
  /** The category tree with counts of visible guides (a category counts its subtree). */
  categoryTree(): Live<records.CategoryNode[]>;
  /** Guides of a category subtree (null: all), or favourites, or ready offline; narrowed by search. Sorted by title, or by relevance when searching. */
  library(query: records.LibraryQuery): Live<records.LibraryPage>;
  /** One guide, of the library, of an archive, or as another guide asks for it (`pinnedGuideId`), ready to be played: rendered lines, pictures, forms, comments, prerequisites. Null: not on this device. */
  guide(guideid: string): Live<records.PlayableGuide | null>;
  /** The caller's work orders, running first, then paused, suspended (also others' that may be assumed), finished. */
  workOrders(): Live<records.WorkOrder[]>;
  /** One work order; null when unknown. */
  workOrder(entryid: string): Live<records.WorkOrder | null>;
  /** The draft of a guide being edited; null while none is open. */
  draft(guideid: string): Live<records.DraftState | null>;
  /** What the person did, newest first: pending, parked, in conflict, recently saved on the server. */
  activity(): Live<ActivityItem[]>;
  /** What the person wrote in guides and pages that they can no longer see, the latest first. */
  keptWords(): Live<KeptRecord[]>;
  /** The conflicts of a guide, or of a page by `wiki:{wikiid}`, with both texts. */
  conflict(guideid: string): Live<GuideConflicts | null>;
  /** A picture: an object URL of the local copy, or of the pending upload, or the server's URL, or null while unknown. */
  picture(guid: string, size: records.PictureSize): Live<string | null>;
  /** A document of a guide: an object URL of the local copy or of the pending upload; null while it is not here. */
  document(guid: string): Live<string | null>;
  /** A video of a step: an object URL of the local copy; null while it is not here. */
  video(videoid: records.VideoId): Live<string | null>;
  /** Storage in use and what the journal promises on this device. */
  storage(): Live<StorageState>;
}

/**
 * Every write of the app. A promise resolves when the change is journalled ("Saved on this device"), not when the
 * server has it. Ids of guides, steps and entries are strings: the server's number, or `tmp:…` until it has one.
 */
export interface Actions
  extends
    AccountActions,
    SiteActions,
    AuditActions,
    PageActions,
    ArchiveActions,
    QuizActions,
    TrainingServerActions,
    ApprovalActions,
    SignOnActions {
  /**
   * Signs in and opens this person's database; the first sync starts by itself. Throws `Problem` with the server's words,
   * and `UnprovedServer` when work waits on this device that may not leave for this address. `apart`: the person knows, and
   * begins anew here; that work stays where it is.
   */
  signIn(server: string, email: string, password: string, apart?: boolean): Promise<void>;
  /** How the server calls the identity provider with which people sign in; null: they do so with a password alone. */
  signInProvider(server: string): Promise<string | null>;
  /**
   * Begins to sign in at the identity provider of a server. `returnTo`: where this app listens on its own machine; null: the
   * page comes back itself. The person opens `url`; `verifier` is kept until the code has come.
   */
  beginSignIn(
    server: string,
    returnTo: string | null,
  ): Promise<{ url: string; returnTo: string; verifier: string }>;
  /** Signs in with the code that the browser brought back. Throws what `signIn` throws; `apart` means the same. */
  signInWithCode(server: string, code: string, verifier: string, apart?: boolean): Promise<void>;
  /** Asks a server for a mail with a link that sets a new password; it never says whether the address has an account. */
  forgotPassword(server: string, email: string): Promise<void>;
  /** Sets a new password with the token of such a link. Throws `Problem` with the server's words. */
  resetPassword(server: string, token: string, password: string): Promise<void>;
  /**
   * Ends the session on this device. `keep` (the default): library and pending work stay for the person's next sign-in.
   * `remove` takes everything of this account off the device, and throws `Problem` invalid while work waits that the
   * server does not have; `remove-with-work` takes that too.
   */
  signOut(library?: LibraryChoice): Promise<void>;
  /** The person has read what this device lost (`Session.loss`). */
  noteLossSeen(): Promise<void>;
  /** The record of the person's work on this device as one file for the support, with what could not be read. */
  supportFile(): Promise<{ filename: string; json: string }>;
  /** What happened on this device in the last 30 days as a text for the support: ids and codes, no words of people. */
  supportLog(): Promise<{ filename: string; text: string }>;
  /** Asks for a sync round now. */
  syncNow(): void;

  favorite(guideid: string, on: boolean): Promise<void>;
  complete(guideid: string, on: boolean): Promise<void>;
  /** `replyTo`: commentid of a top-level comment. Returns the (temporary) commentid. */
  comment(
    context: 'guide' | 'step' | 'wiki',
    contextid: string,
    text: string,
    replyTo?: string,
  ): Promise<string>;
  editComment(commentid: string, text: string): Promise<void>;
  removeComment(commentid: string): Promise<void>;
  /** A correction that was parked because it came too late: posts it as a reply. Returns the reply's commentid. */
  postAsReply(callid: string): Promise<string>;

  /**
   * Starts a work order on a guide; returns its (temporary) entryid. `guideRevisionid`: what the worker sees, where that
   * is not the guide as it is now.
   */
  startWorkOrder(guideid: string, workorderid: string, guideRevisionid?: number): Promise<string>;
  moveWorkOrder(
    entryid: string,
    move: 'pause' | 'resume' | 'suspend' | 'assume' | 'finish' | 'cancel',
  ): Promise<void>;
  /** The step the worker is at, for the times per step. */
  enterStep(entryid: string, stepid: string): Promise<void>;
  /** Saves one form value. `value`: as the field type writes it ('1'/'0' for a checkbox). */
  recordValue(entryid: string, field: records.FormFieldView, value: string): Promise<void>;
  /** Saves a photo, video or document taken for a form field; the file is safe on this device when this resolves. */
  recordFile(entryid: string, field: records.FormFieldView, file: Blob, filename: string): Promise<void>;
  /** A frozen order: what the person did becomes an order of their own. Returns its temporary entryid. */
  saveAsOwnOrder(entryid: string): Promise<string>;
  exportOrder(entryid: string): Promise<{ filename: string; json: string }>;
  discardOrder(entryid: string): Promise<void>;

  /** Opens (or continues) the draft of a guide; with null creates a new guide. Returns the (temporary) guideid. */
  openDraft(guideid: string | null): Promise<string>;
  /** Applies one edit to the open draft. */
  editDraft(guideid: string, operation: records.GuideEditOperation): Promise<void>;
  undoDraft(guideid: string): Promise<void>;
  redoDraft(guideid: string): Promise<void>;
  /** Adds a picture to a step of the draft from a file; kept on this device until uploaded. */
  addDraftPicture(guideid: string, stepKey: string, file: Blob, filename: string): Promise<void>;
  /** Adds a document to the guide of the draft from a file; kept on this device until uploaded. */
  addDraftDocument(guideid: string, file: Blob, filename: string): Promise<void>;
  /** Queues the draft's changes as one save. Throws `Problem` invalid when a limit is broken. */
  saveDraft(guideid: string): Promise<void>;
  /** Throws the unsaved edits away (the screen asks first). */
  discardDraft(guideid: string): Promise<void>;
  publish(guideid: string, on: boolean): Promise<void>;

  /** Decides one conflict of a guide, or of a page by `wiki:{wikiid}`. */
  resolveConflict(guideid: string, conflictid: string, choice: ConflictChoice): Promise<void>;
  /** Parked calls: send again as it is; drop it (the screen asks first); or take it as a file. */
  retryCall(callid: string): Promise<void>;
  /** Sends again what the server refused, unless a newer text is there (409), and asks for a round now; returns how many calls. */
  sendAllAgain(): Promise<number>;
  discardCall(callid: string): Promise<void>;
  exportCall(callid: string): Promise<{ filename: string; json: string }>;
  /** Words of a guide or page that left (`KeptRecord.id`): as a file; or dropped for good (the screen asks first). */
  exportKept(id: string): Promise<{ filename: string; json: string }>;
  discardKept(id: string): Promise<void>;
  /**
   * Gives the person everything that waits for them on this device as one file (`title`: of the dialog that asks where to keep
   * it); null when they change their mind.
   */
  exportWaiting(title: string): Promise<ExportedWork | null>;
  /**
   * Takes in such a file of the same account on the same server. Throws `Problem` with the words to say when it is none, a
   * newer one, or somebody else's.
   */
  importWaiting(file: Blob): Promise<ImportedWork>;
  /** Edits the text of a parked comment or a parked form value and sends it again. */
  editCall(callid: string, body: unknown): Promise<void>;

  /**
   * Compares every record on this device with the server and loads again what differs; returns what that was. Throws
   * `Problem` in a window that does not lead, and an error while the server cannot be reached.
   */
  checkDevice(): Promise<DeviceCheck>;

  /** Fetches everything a guide needs offline. */
  downloadGuides(guideids: string[]): Promise<void>;
}

/** The device engine: no React, no Electron. */
export interface Engine {
  views: Views;
  actions: Actions;
  /** Closes database, journal and streams; pending work stays. */
  close(): Promise<void>;
}

export type { GuideSummaryCard };

/**
 * What becomes of the library at sign-out. `remove` refuses while work waits that the server does not have;
 * `remove-with-work` is what a person says who was told of it.
 */
export type LibraryChoice = 'keep' | 'remove' | 'remove-with-work';

/** What an import brought. */
export interface ImportedWork {
  /** Calls that were not here, and drafts and words beside them. */
  calls: number;
  drafts: number;
  /** What was here already, or is on the server. */
  known: number;
  /** Lines that could not be read, and files that arrived damaged. */
  unreadable: number;
  /** The file ends too early: more may be missing. */
  isCut: boolean;
}

/** What became of an export. */
export interface ExportedWork {
  /** Calls, and drafts and words beside them. */
  calls: number;
  drafts: number;
  /** What stays on this device: archives to import, decisions to sign, what cannot be read, and files that are lost or damaged. */
  left: number;
}
