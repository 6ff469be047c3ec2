import type { Bullet, DocumentRef } from '#shared/model/guide.ts';
import type { RevisionDecision, WorkedRevision } from '#shared/model/revision.ts';
import type { FieldType, FormField } from '#shared/model/step-form.ts';
import type { EntryStatus, ValueLimits } from '#shared/model/work-log.ts';
import type { SecondPersonView } from './order-signing.ts';
import type { Marker } from '#shared/rules/markers.ts';

export type { GuideEditOperation } from '#shared/rules/guide-edit.ts';
import type { GuideContent } from '#shared/rules/guide-edit.ts';
import type { TimeRequired } from '#shared/rules/guide-record.ts';

export interface CategoryNode {
  title: string;
  displayTitle: string;
  guides: number;
  children: CategoryNode[];
}

/** A mark of guides by which the library is filtered. */
export type LibraryMark = 'favorites' | 'ready-offline' | 'drafts';

/** Which guides are shown. Those that meet every condition. */
export interface LibraryQuery {
  category: string | null;
  /** Guides with all of these marks. */
  only?: readonly LibraryMark[];
  difficulty?: string;
  type?: string;
  search?: string;
}

/** `ready`: pictures, documents, forms and prerequisites are all on this device. `done` and `total` count files. */
export type OfflineReadiness =
  | { state: 'ready' }
  | { state: 'missing'; bytes: number | null }
  | { state: 'downloading'; done: number; total: number };

export interface GuideSummaryCard {
  guideid: string;
  title: string;
  category: string;
  type: string;
  summary: string;
  difficulty: string;
  /** Seconds; 0: no estimate. */
  timeRequired: number;
  steps: number;
  imageGuid: string | null;
  public: boolean;
  favorite: boolean;
  /** Made or changed on this device and not yet on the server. */
  pending: boolean;
  readiness: OfflineReadiness;
  /** With a search: the match as text with marked ranges. */
  snippet: { text: string; marks: [number, number][] } | null;
  /** Of a guide of an archive: the same one in the library, or null. */
  same?: string | null;
}

export interface LibraryPage {
  guides: GuideSummaryCard[];
  /** Number of these guides, and of those that are ready offline. */
  total: number;
  readyOffline: number;
  /** Bytes of media on this device. */
  mediaBytes: number;
  /** The difficulties and types of the guides of the category, by which they can be filtered. */
  choices: { difficulties: string[]; types: string[] };
}

export interface PictureView {
  /** Image guid; `tmp:…` for a picture not yet uploaded. */
  guid: string;
  width: number;
  height: number;
  /** Parsed markers in pixels of the original image. */
  markers: Marker[];
}

export interface LineView {
  id: string;
  bullet: Bullet;
  level: number;
  text: string;
  /** Safe HTML. */
  html: string;
}

export interface FormFieldView extends FormField {
  stepid: string;
  /** All fields of its form, if some of them are computed. */
  form?: readonly FormField[];
}

export interface StepView {
  stepid: string;
  /** What the editor names the step by. */
  key: string;
  /** Set when the step comes from a prerequisite guide. */
  guideid: string;
  title: string;
  lines: LineView[];
  pictures: PictureView[];
  /** A video or embedded page instead of pictures. `file`: names the copy on this device. */
  video: { file: string; url: string; poster: string | null; mime: string } | null;
  embedHtml: string | null;
  fields: FormFieldView[];
  comments: CommentView[];
}

export interface CommentView {
  commentid: string;
  author: string;
  mine: boolean;
  html: string;
  text: string;
  /** ms since 1970. */
  at: number;
  edited: boolean;
  /** Still editable: unsent, or within five minutes of server time. */
  editable: boolean;
  /** Not yet on the server. */
  pending: boolean;
  /** Null: it is no feedback. Its `text` and `html` are '' if it only has a reason. */
  feedback: FeedbackView | null;
  replies: CommentView[];
}

/** What somebody found in a step, and whether it is done. */
export interface FeedbackView {
  /** A `FeedbackReason`, or one of a newer version. */
  reason: string;
  /** Who closed it; null: it is open. `at`: ms since 1970. `pending`: the server does not know it yet. */
  done: { username: string; mine: boolean; at: number; pending: boolean } | null;
}

export interface SupplyView {
  text: string;
  /** Kind or size, such as "T20"; '' if there is none. */
  type: string;
  quantity: number;
  notes: string | null;
  url: string;
}

export interface DocumentView {
  /** What `views.document` takes; `tmp:…` while it is not uploaded. */
  guid: string;
  title: string;
  extension: string;
  /** Its address on the server; null while it is not uploaded. */
  url: string | null;
}

/** The archive of a guide. */
export interface ArchivedIn {
  archiveid: string;
  /** Title of the archive. */
  title: string;
  /** The same guide in the library; null: the library does not have it, or nobody is signed in. */
  same: string | null;
  /** Who signed this version at its origin, its meaning and time, as the archive says; '': nobody. */
  signatures: string;
  /** The archive says that this version is not approved. */
  isUnapproved: boolean;
  /** Hosts from which its pictures, videos and pages would be loaded once a person allows it; [] : none, or allowed. */
  outside: string[];
}

/** Which release of a prerequisite is shown, and for whom. */
export interface ReleaseView {
  /** The release's own name: "v1.0". */
  title: string;
  /** The guide that requires it. */
  by: { guideid: string; title: string };
  /** Steps that the guide no longer has: they cannot be commented on. */
  goneSteps: string[];
}

/** A guide that is to be done first. */
export interface Prerequisite {
  /** The id under which it is opened. */
  guideid: string;
  title: string;
  steps: number;
  /** The name of the required release; null: the present version. */
  release: string | null;
  /** Whether this person marked it completed. */
  completed: boolean;
}

/** A guide as the player shows it. */
export interface PlayableGuide {
  guideid: string;
  title: string;
  category: string;
  type: string;
  summary: string;
  difficulty: string;
  /** Null without an estimate. */
  timeRequired: TimeRequired | null;
  revisionid: number;
  public: boolean;
  author: string;
  modifiedAt: number;
  introductionHtml: string;
  conclusionHtml: string;
  flags: string[];
  imageGuid: string | null;
  steps: StepView[];
  prerequisites: Prerequisite[];
  parts: SupplyView[];
  tools: SupplyView[];
  documents: DocumentView[];
  tags: string[];
  canTag: boolean;
  comments: CommentView[];
  favorite: boolean;
  completed: boolean;
  canEdit: boolean;
  /** Edits of this person that the server does not have yet: unsaved draft, queued, or in conflict. */
  editState: 'none' | 'draft' | 'queued' | 'conflict' | 'parked';
  readiness: OfflineReadiness;
  /** Of an archive: read only. Null: of the library. */
  archive: ArchivedIn | null;
  /** The required release that is shown; null: the present version. */
  release: ReleaseView | null;
  /** The revision that is shown, which an order on it is bound to; null: of an archive. */
  revision: WorkedRevision | null;
}

/** A value recorded with a work order. It has its own label, because the form may have changed since. */
export interface RecordedValue {
  value: string;
  label: string;
  stepid: string;
  fieldType: FieldType;
  fileName: string | null;
  /** Of image values: the argument of `views.picture`. */
  imageGuid: string | null;
  /** The limit that the value breaks; null: none. */
  broken: { side: 'min' | 'max'; limit: number } | null;
  /** The limits of the form revision that it was recorded with; null: none. */
  limits: ValueLimits | null;
  /** '' if there is none. */
  unit: string;
  /** Whether the value follows from others. */
  isComputed: boolean;
  /** Whether the value says that a check failed, or is not what its field asks for. */
  isFailed: boolean;
  /** Why the check failed; '' if nobody said it. */
  reason: string;
  /** Pictures after the first one. `imageGuid`: the argument of `views.picture`. */
  morePhotos: readonly { value: string; imageGuid: string | null }[];
  /** The second person whom the value names; null: its field asks for none. */
  second: SecondPersonView | null;
  /** The name of the station at which it was recorded; '' if unknown. Absent: at none. */
  station?: string;
  saved: 'device' | 'server';
}

/** Why a required field has no value. */
export interface GapReason {
  field: FormFieldView;
  reason: string;
}

/** A required field that had no value when the order was finished. `reason`: null if none was given. */
export interface OrderGap {
  label: string;
  stepid: string;
  reason: string | null;
}

export interface WorkOrder {
  entryid: string;
  workorderid: string;
  /** Serial or lot numbers of what is worked on. */
  serials: readonly string[];
  /** Names of the stations at which it was recorded, the first one first; '' if unknown. Absent: at none. */
  stations?: readonly string[];
  guideid: string;
  guideTitle: string;
  imageGuid: string | null;
  status: EntryStatus;
  userid: number;
  username: string;
  mine: boolean;
  /** ms since 1970. */
  startedAt: number;
  endedAt: number | null;
  /** Working time in ms at `asOf`; while `running`, add the time passed since. */
  activeMs: number;
  asOf: number;
  running: boolean;
  activeStepid: string | null;
  /** When the present status began, ms since 1970: "Suspended by Ana, 2 hours ago". */
  statusSince: number;
  /** Working time in ms per stepid at `asOf`; while `running`, add the time passed since to `activeStepid`. */
  stepMs: Record<string, number>;
  /** Values by field_revisionid. */
  values: Record<string, RecordedValue>;
  stepsDone: string[];
  /** Empty while the order is open. */
  gaps: OrderGap[];
  /** Starts, pauses, hand-overs and the end, oldest first. */
  history: OrderEvent[];
  /** The revision that it is worked by; null: started before this was recorded. */
  revision: WorkedRevision | null;
  /** The release for which it was planned, by which it is worked; null: none. */
  release: string | null;
  /** The decisions about revisions, oldest first. */
  revisions: OrderRevision[];
  /** The note of the last suspension; null: none. `at`: ms since 1970. */
  handover: { note: string; username: string; at: number } | null;
  /** The device's clock was off; times were corrected. */
  timeAdjusted: boolean;
  /** Number of waiting calls of this order. */
  pending: number;
  /** Somebody else has taken it over: the person can save it as an order of their own, export it, or discard it. */
  frozen: boolean;
}

/** A change of the state of a work order. `at`: ms since 1970. `note`: of a hand-over; null: none. */
export interface OrderEvent {
  type: 'start' | 'pause' | 'resume' | 'suspend' | 'assume' | 'finish' | 'cancel';
  username: string;
  at: number;
  note: string | null;
  /** As in `RecordedValue`. */
  station?: string;
}

/** A decision about the revision that an order is worked by. `at`: ms since 1970. */
export interface OrderRevision {
  decision: RevisionDecision['decision'];
  revision: WorkedRevision;
  username: string;
  at: number;
}

/** The work that a lead or administrator sees. */
export interface Board {
  /** Whether this person leads a team or administers the site. Others see their own orders. */
  isLead: boolean;
  /** Open orders, and those that ended in the last 24 hours. */
  orders: BoardOrder[];
}

/** A work order on the board. */
export interface BoardOrder extends WorkOrder {
  /** Number of steps of the guide; 0: unknown. */
  steps: number;
  /** Whether it has values that are out of limits or failed, or missing values. */
  deviates: boolean;
}

export interface DraftState {
  guideid: string;
  content: GuideContent;
  canUndo: boolean;
  canRedo: boolean;
  /** Differs from what is saved. */
  dirty: boolean;
  saved: 'device' | 'saving';
  /** Broken limits, by place. */
  problems: { place: string; message: string; missing?: true }[];
  canPublish: boolean;
  public: boolean;
  isNew: boolean;
  categories: string[];
  guideTypes: string[];
  flags: { flagid: string; title: string }[];
  /** The person's own documents, which can be added to the guide. */
  ownDocuments: DocumentRef[];
}

/** The file of a picture. `isSmaller`: it is a smaller copy, as the original is not on this device. */
export interface PictureFile {
  file: Blob;
  filename: string;
  isSmaller: boolean;
}

/** A picture that was made from another one. `markup`: its markers. */
export interface MadePicture {
  file: Blob;
  filename: string;
  markup: string | undefined;
}

export type PictureSize = 'thumbnail' | 'standard' | 'medium' | 'large' | 'huge' | 'original';
