import { secretParts } from '#shared/model/site-settings.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';
import type { Tables } from '#server/storage/tables.ts';

/** What the audit log records about the rows of a table. */
export interface Recorded<Column extends string> {
  /** Columns that identify a row. Default: the primary key, which must not be a secret. */
  key?: readonly Column[];
  /** Only the fact that they changed is recorded: passwords, tokens, secrets. */
  hidden?: readonly Column[];
  /** Not recorded: derived from other columns, or changed by mere use. */
  ignored?: readonly Column[];
  /** Columns with JSON: only changed properties are recorded. */
  json?: readonly Column[];
  /** Properties of that JSON that contain secrets, in addition to those of every table. */
  secrets?: readonly string[];
  /** The column with the revision of the record. */
  revision?: Column;
  /** All values of an inserted row are recorded too, so that the log proves them. */
  values?: true;
  /** Condition for recorded rows, in SQL; `$` is the row. Default: all. */
  rows?: string;
}

/**
 * A table that is not recorded, because it is derived from others or its loss would change no record. `derived`: the
 * reason.
 */
interface Derived {
  derived: string;
}

export type Policy<Column extends string = string> = Recorded<Column> | Derived;

type Policies = { readonly [Name in keyof Tables]: Policy<keyof Tables[Name] & string> };

/**
 * Collections whose documents follow from the rows of tables. Documents of all others, such as the events of the work
 * log, are stored nowhere else.
 */
const fromTables: readonly SyncedCollection[] = [
  'guides',
  'wikis',
  'stepForms',
  'comments',
  'people',
  'media',
  'viewer',
  'training',
  'workVersions',
  'releases',
  'releaseTexts',
];

const bookkeeping = { derived: 'bookkeeping of calls and of the feed' };
const ofRevision = { derived: 'follows from the revision that is stored with it' };
const earned = { derived: 'follows from what people did' };
const counted = { derived: 'follows from the events of the entries that are counted' };
const index = { derived: 'follows from the records that are searched' };

/**
 * The policy of every table; a new table without one does not compile. For an inserted row, the key is recorded (its
 * values are in the row itself; `values` records them too); for an updated row, the changed old and new values; for a
 * deleted row, all values.
 */
export const policies: Policies = {
  // Schema versions and replaced keys of the server have log rows of their own.
  meta: {
    json: ['value'],
    secrets: secretParts.map(([, part]) => part),
    rows: "$.name NOT IN ('schema_version', 'oldest_code', 'history', 'training_published', 'server', 'leapt_to', 'audit_targets', 'audit_triggers', 'setup_code', 'sealed', 'moved', 'arriving')",
  },
  server_keys: { hidden: ['pem'] },
  counters: bookkeeping,
  audiences: bookkeeping,
  documents: {
    ignored: ['seq', 'audience', 'uid'],
    json: ['body'],
    rows: `$.collection NOT IN (${fromTables.map((name) => `'${name}'`).join(', ')})`,
  },
  packs: { derived: 'copies of documents' },
  guide_summaries: { derived: 'follows from the documents of guides' },
  feed: bookkeeping,
  access_changes: { derived: 'follows from the rows of sessions, accounts, teams and stations, by triggers' },
  idempotency: bookkeeping,
  imported_ids: bookkeeping,
  mirror_sources: bookkeeping,
  mirrored: bookkeeping,
  temporary_ids: bookkeeping,
  users: { hidden: ['password_hash'], ignored: ['username_search', 'reputation'] },
  tokens: {
    key: ['userid', 'device', 'created_date'],
    hidden: ['token_hash', 'impersonator_token'],
    ignored: ['used_date', 'expires_date'],
  },
  account_names: { derived: 'follows from the accounts, by triggers' },
  app_ids: {},
  password_resets: { key: ['userid', 'expires_date'], hidden: ['token_hash'] },
  reset_requests: { derived: 'counts requests for an hour' },
  webhooks: { hidden: ['secret'] },
  webhook_events: { derived: 'tells what other rows record' },
  webhook_deliveries: { derived: 'the outbox keeps its own record' },
  known_devices: { derived: 'says where sign-ins, which are recorded, came from' },
  device_secrets: { hidden: ['secret'] },
  stations: {
    hidden: ['code_hash', 'token_hash', 'secret'],
    json: ['settings'],
    ignored: ['contact_date', 'waiting', 'waiting_since'],
  },
  ended_station_tokens: { key: ['stationid', 'ended_date', 'reason'], hidden: ['token_hash'] },
  station_named: {},
  station_members: {},
  station_former: { ignored: ['last_tried', 'latest'] },
  station_badges: { hidden: ['number_hash', 'sealed'] },
  station_pins: { hidden: ['sealed'] },
  station_arrivals: { derived: 'the row of each call names station and person' },
  login_attempts: { derived: 'counts tries for some minutes; each try is recorded' },
  teams: { hidden: ['join_code'] },
  team_attributes: {},
  training_modules: { ignored: ['modified_date'] },
  training_imports: { json: ['package'] },
  training_files: { derived: 'follows from the package' },
  training_registrations: { ignored: ['modified_date'] },
  // Completion and score are the record; `data` is the position in the module.
  training_activities: { ignored: ['data', 'modified_date'] },
  training_statements: {},
  training_documents: { ignored: ['body', 'modified_date'] },
  training_sessions: {
    key: ['importid', 'userid', 'kind'],
    hidden: ['token_hash', 'session_token'],
    ignored: ['expires_date'],
  },
  quizzes: { ignored: ['title_search'], revision: 'quiz_revisionid' },
  quiz_revisions: {},
  quiz_associations: {},
  guide_quiz_revisions: ofRevision,
  quiz_sessions: { json: ['response_json'], ignored: ['modified_date'] },
  courses: {},
  course_stages: {},
  course_assignments: {},
  course_stage_completions: {},
  course_completions: {},
  merits: earned,
  badges: {},
  badge_awards: earned,
  unpublished_merits: earned,
  team_members: {},
  guides: { revision: 'guide_revisionid', ignored: ['modified_date'] },
  guide_revisions: { revision: 'guide_revisionid' },
  steps: ofRevision,
  lines: ofRevision,
  guide_prerequisites: ofRevision,
  favorites: {},
  completions: {},
  tags: {},
  guide_tags: {},
  wiki_tags: {},
  wikis: { revision: 'revisionid', ignored: ['modified_date'] },
  wiki_names: {},
  wiki_revisions: { revision: 'revisionid' },
  glossary_entries: {},
  glossary_translations: {},
  machine_translations: { derived: 'keeps answers of the provider of translations' },
  step_forms: { revision: 'form_revisionid' },
  step_form_revisions: { revision: 'form_revisionid' },
  step_form_fields: ofRevision,
  work_log: { ignored: ['audience'] },
  traced_numbers: index,
  worked_revisions: index,
  finished_orders: counted,
  step_times: counted,
  missing_values: counted,
  measured_numbers: counted,
  deviations: {},
  planned_orders: {},
  planned_series: { json: ['template'] },
  shift_summaries: {},
  comments: { ignored: ['replied_date', 'modified_date'] },
  images: {},
  text_pictures: index,
  file_uses: index,
  document_files: {},
  video_files: {},
  guide_releases: {},
  posts: {},
  search_entries: index,
  search_waiting: index,
  media_manager: {},
  // Jobs that nobody requested (the collection of archives is made again whenever guides change) change no records.
  jobs: {
    rows: '$.userid IS NOT NULL',
    key: ['jobid', 'kind', 'subject'],
    ignored: ['runner', 'request_id', 'starts', 'cursor', 'progress', 'result', 'finished_date'],
  },
  archive_imports: { ignored: ['received'] },
  import_effects: { derived: 'an import keeps its own record' },
  archives: {},
  archive_guides: { derived: 'follows from the archive' },
  audit_log: { derived: 'the log itself' },
  approval_processes: { ignored: ['name_search', 'modified_date'] },
  approval_stages: {},
  category_approvals: {},
  guide_approvals: {},
  approval_requests: { values: true },
  approval_signatures: { values: true },
  record_signatures: { values: true },
  sign_ons: { hidden: ['request_id', 'url'] },
  sign_ins: { derived: 'lasts for minutes; the calls say what came of it' },
  sign_on_tokens: { key: ['userid', 'authenticated_date', 'expires_date'], hidden: ['token_hash'] },
  sign_on_assertions: { derived: 'remembers assertions until they are too old' },
};
