import type { WorkedRevision } from '#shared/model/revision.ts';

import type { AccountAdminActions } from './accounts.ts';
import type { AccountActions } from './account.ts';
import type { ApprovalActions, ApprovalViews } from './approvals.ts';
import type { ArchiveActions, ArchiveViews } from './archives.ts';
import type { AuditActions } from './audit.ts';
import type { GuideHistoryActions } from './guide-history.ts';
import type { OrderHistoryActions } from './order-history.ts';
import type { FinderViews } from './finder.ts';
import type { FormActions, FormViews } from './forms.ts';
import type { OrderSigningActions } from './order-signing.ts';
import type { PageActions, PageViews } from './pages.ts';
import type { ReportActions } from './reports.ts';
import type { SetupActions } from './setup.ts';
import type { SignOnActions } from './sign-on.ts';
import type { SiteActions } from './site.ts';
import type { StationAdminActions } from './stations.ts';
import type { TeamAdminActions } from './teams.ts';
import type { TracingActions, TracingViews } from './tracing.ts';
import type { TrainingServerActions, TrainingViews } from './training.ts';
import type { Decision, GuideConflicts } from './conflict-records.ts';
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

/** Live reads that are not in `areas`. */
export interface CoreViews
  extends PageViews, ArchiveViews, TrainingViews, ApprovalViews, FormViews, TracingViews, FinderViews {
  /** Who is signed in, and where; user null before sign-in. */
  session(): Live<Session>;
  /** The state of sync for the status line. */
  syncState(): Live<SyncState>;
  /** The category tree with counts of visible guides (a category counts its subtree). */
  categoryTree(): Live<records.CategoryNode[]>;
  /** Guides of a category subtree (null: all), narrowed by filters and a search. Sorted by title, or by relevance when searching. */
  library(query: records.LibraryQuery): Live<records.LibraryPage>;
  /** One guide for the player: rendered lines, pictures, forms, comments, prerequisites. Of the library, of an archive, or a release that another guide requires (`pinnedGuideId`). Null: not on this device. */
  guide(guideid: string): Live<records.PlayableGuide | null>;
  /** The person's work orders: running, paused, suspended (also of others, which may be taken over), finished. */
  workOrders(): Live<records.WorkOrder[]>;
  /** All work orders that this person sees as a lead or administrator, and their own. */
  board(): Live<records.Board>;
  /** One work order; null when unknown. */
  workOrder(entryid: string): Live<records.WorkOrder | null>;
  /** The draft of a guide being edited; null while none is open. */
  draft(guideid: string): Live<records.DraftState | null>;
  /** The person's changes, newest first: waiting, parked, in conflict, recently saved on the server. */
  activity(): Live<ActivityItem[]>;
  /** What the person wrote in guides and pages that they can no longer see, the latest first. */
  keptWords(): Live<KeptRecord[]>;
  /** The conflicts of a guide, or of a page by `wiki:{wikiid}`, with both texts. */
  conflict(guideid: string): Live<GuideConflicts | null>;
  /** Whether the latest decisions about a guide or page can be taken back: until they are sent, and the app is closed. */
  canReopen(guideid: string): Live<boolean>;
  /** A picture: an object URL of the local copy, or of the pending upload, or the server's URL, or null while unknown. */
  picture(guid: string, size: records.PictureSize): Live<string | null>;
  /** A document of a guide: an object URL of the local copy or of the waiting upload; null while it is not on this device. */
  document(guid: string): Live<string | null>;
  /** A video of a step: an object URL of the local copy; null while it is not on this device. */
  video(file: string): Live<string | null>;
  /** Used storage, and the durability of the journal on this device. */
  storage(): Live<StorageState>;
}

/** Writes that are not in `areas`. */
export interface CoreActions
  extends
    AccountActions,
    AccountAdminActions,
    SiteActions,
    StationAdminActions,
    TeamAdminActions,
    SetupActions,
    AuditActions,
    OrderHistoryActions,
    ReportActions,
    GuideHistoryActions,
    PageActions,
    ArchiveActions,
    TracingActions,
    TrainingServerActions,
    ApprovalActions,
    FormActions,
    SignOnActions,
    OrderSigningActions {
  /**
   * Signs in and opens the person's home; sync starts by itself. Throws `Problem` with the server's words, and
   * `UnprovedServer` when work waits on this device that may not be sent to this address. `apart`: the person knows that,
   * and begins with a new home; the work stays in its own.
   */
  signIn(server: string, email: string, password: string, apart?: boolean): Promise<void>;
  /** The server's name of its identity provider; null: people sign in with a password only. */
  signInProvider(server: string): Promise<string | null>;
  /**
   * Begins a sign-in at the identity provider of a server. `returnTo`: the local address at which this app listens; null: the
   * browser returns to this page. The person opens `url`; the caller stores `verifier` until the code arrives.
   */
  beginSignIn(
    server: string,
    returnTo: string | null,
  ): Promise<{ url: string; returnTo: string; verifier: string }>;
  /** Signs in with the code that the browser brought back. Throws what `signIn` throws; `apart` means the same. */
  signInWithCode(server: string, code: string, verifier: string, apart?: boolean): Promise<void>;
  /** Asks a server for an email with a link that sets a new password. It never says whether the address has an account. */
  forgotPassword(server: string, email: string): Promise<void>;
  /** Sets a new password with the token of such a link. Throws `Problem` with the server's words. */
  resetPassword(server: string, token: string, password: string): Promise<void>;
  /**
   * Ends the session on this device. `keep` (the default): library and waiting work stay for the person's next sign-in.
   * `remove` removes everything of this account from the device, and throws `Problem` invalid while the server does not have
   * all work; `remove-with-work` removes that too.
   */
  signOut(library?: LibraryChoice): Promise<void>;
  /** The person has read what this device lost (`Session.loss`). */
  noteLossSeen(): Promise<void>;
  /** The journal of the person's work on this device as one file for support, with the parts that could not be read. */
  supportFile(): Promise<{ filename: string; json: string }>;
  /** The log of the last 30 days as text for support: ids and codes, no words of people. */
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
   * Starts a work order on a guide; returns its (temporary) entryid. `seen`: the revision that the worker sees, if that is
   * not the present one. `serials`: serial or lot numbers of what is worked on.
   */
  startWorkOrder(
    guideid: string,
    workorderid: string,
    more?: { seen?: WorkedRevision; serials?: readonly string[] },
  ): Promise<string>;
  moveWorkOrder(
    entryid: string,
    move: 'pause' | 'resume' | 'suspend' | 'assume' | 'finish' | 'cancel',
  ): Promise<void>;
  /** Offers a work order to others. `note`: what the next person should know; may be ''. */
  suspendWorkOrder(entryid: string, note: string): Promise<void>;
  /** Finishes a work order. `gaps`: the required fields without a value, and why they have none. */
  finishWorkOrder(entryid: string, gaps: readonly records.GapReason[]): Promise<void>;
  /** The step the worker is at, for the times per step. */
  enterStep(entryid: string, stepid: string): Promise<void>;
  /**
   * Saves one form value. `value`: as the field type writes it ('1'/'0' for a checkbox). `details.reason`: why a check
   * failed; absent keeps it while the value stays the same. `details.second_person`: the userid of the person whom the
   * value names.
   */
  recordValue(
    entryid: string,
    field: records.FormFieldView,
    value: string,
    details?: { reason?: string; second_person?: number },
  ): Promise<void>;
  /**
   * Saves a photo, video or document for a form field; the file is stored on this device when this resolves. It replaces
   * the one before, unless the field takes several photos. Throws `Problem` when it has as many as it takes.
   */
  recordFile(entryid: string, field: records.FormFieldView, file: Blob, filename: string): Promise<void>;
  /** Removes one of the photos of a form field. `photo`: its value. */
  removePhoto(entryid: string, field: records.FormFieldView, photo: string): Promise<void>;
  /** Saves the person's work on a frozen order as an order of their own. Returns its temporary entryid. */
  saveAsOwnOrder(entryid: string): Promise<string>;
  exportOrder(entryid: string): Promise<{ filename: string; json: string }>;
  discardOrder(entryid: string): Promise<void>;

  /** Opens (or continues) the draft of a guide; with null creates a new guide. Returns the (temporary) guideid. */
  openDraft(guideid: string | null): Promise<string>;
  /** Applies one edit to the open draft. */
  editDraft(guideid: string, operation: records.GuideEditOperation): Promise<void>;
  undoDraft(guideid: string): Promise<void>;
  redoDraft(guideid: string): Promise<void>;
  /** Adds a picture to a step of the draft from a file, which is stored on this device until it is uploaded. */
  addDraftPicture(guideid: string, stepKey: string, file: Blob, filename: string): Promise<void>;
  /** The file of a picture, for a copy of it. Throws `Problem` not-found when neither this device nor the server has it now. */
  readPicture(guid: string): Promise<records.PictureFile>;
  /**
   * Replaces a picture of a step of the draft by one made from it, which is stored on this device until it is uploaded.
   * Returns the guid of the new one.
   */
  replaceDraftPicture(
    guideid: string,
    stepKey: string,
    guid: string,
    made: records.MadePicture,
  ): Promise<string>;
  /** Adds a document to the guide of the draft from a file, which is stored on this device until it is uploaded. */
  addDraftDocument(guideid: string, file: Blob, filename: string): Promise<void>;
  /** Queues the draft's changes as one save. Throws `Problem` invalid when a limit is broken. */
  saveDraft(guideid: string): Promise<void>;
  /** Discards the unsaved edits (the screen asks first). */
  discardDraft(guideid: string): Promise<void>;
  publish(guideid: string, on: boolean): Promise<void>;

  /**
   * Decides conflicts of a guide, or of a page by `wiki:{wikiid}`. After the last one, the result is queued. Throws `Problem`
   * if one of them is not open any more; then none is decided.
   */
  resolveConflicts(guideid: string, decisions: readonly Decision[]): Promise<void>;
  /** Puts the conflicts that were decided last up for decision again (`canReopen`). */
  reopenConflicts(guideid: string): Promise<void>;
  /** Parked calls: send again as it is; drop it (the screen asks first); or take it as a file. */
  retryCall(callid: string): Promise<void>;
  /** Sends refused calls again, except those with a newer text on the server (409), and syncs now; returns their number. */
  sendAllAgain(): Promise<number>;
  discardCall(callid: string): Promise<void>;
  exportCall(callid: string): Promise<{ filename: string; json: string }>;
  /** Kept words (`KeptRecord.id`): exports them as a file, or discards them (the screen asks first). */
  exportKept(id: string): Promise<{ filename: string; json: string }>;
  discardKept(id: string): Promise<void>;
  /**
   * Saves all waiting work of the person on this device as one file; null if they cancel. `title`: title of the dialog that
   * asks where to save it.
   */
  exportWaiting(title: string): Promise<ExportedWork | null>;
  /**
   * Imports such a file of the same account on the same server. Throws `Problem` with a message when it is not such a file,
   * of a newer version, or somebody else's.
   */
  importWaiting(file: Blob): Promise<ImportedWork>;
  /** Edits the text of a parked comment or a parked form value and sends it again. */
  editCall(callid: string, body: unknown): Promise<void>;

  /**
   * Compares every record on this device with the server and loads again what differs; returns the differences. Throws
   * `Problem` in a window that does not lead, and an error while the server cannot be reached.
   */
  checkDevice(): Promise<DeviceCheck>;

  /** Fetches everything that a guide needs offline. */
  downloadGuides(guideids: string[]): Promise<void>;
  /** This device's copy of a document, by its guid. Throws `Problem` not-found when there is none. */
  readDocument(guid: string): Promise<Blob>;
}

export type { GuideSummaryCard };

/**
 * What happens to the library at sign-out. `remove` is refused while the server does not have all work;
 * `remove-with-work` is chosen by a person who knows that.
 */
export type LibraryChoice = 'keep' | 'remove' | 'remove-with-work';

/** Result of an import of work. */
export interface ImportedWork {
  /** Number of new calls, drafts and kept words. */
  calls: number;
  drafts: number;
  /** Number of those that this device or the server had already. */
  known: number;
  /** Number of unreadable lines and damaged files. */
  unreadable: number;
  /** The file is cut off: more may be missing. */
  isCut: boolean;
}

/** Result of an export of work. */
export interface ExportedWork {
  /** Number of calls, drafts and kept words. */
  calls: number;
  drafts: number;
  /** What stays on this device: archives to import, decisions to sign, unsaved forms, what cannot be read, and files that are lost or damaged. */
  left: number;
}
