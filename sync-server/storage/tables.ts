import type { Generated, Kysely, Transaction } from 'kysely';

import type { PlannedStatus } from '#shared/model/planned-orders.ts';

/** 0 or 1: rows are identical on every database. */
type Flag = number;
/** JSON as text. */
type Json = string;

/** Rows of every table; columns are spelled as in the specification. Times are UNIX seconds unless said otherwise. */
export interface Tables {
  meta: { name: string; value: string };
  counters: { name: string; value: number };
  /** `pem`: a private key (PKCS #8). Empty with SQLite, where it is a file. */
  server_keys: { name: string; pem: string };
  audiences: { audience: Generated<number>; principals: string };
  documents: {
    collection: string;
    id: string;
    seq: number;
    audience: number;
    body: Json;
    /** Identifies the record permanently; its number may be given to another one after a restore. */
    uid: string;
  };
  /** Summaries of guides as lists send them (SUMMARY-1). */
  guide_summaries: {
    guideid: number;
    /** Version of the form of `body`. */
    version: number;
    audience: number;
    userid: number;
    modified_date: number;
    /** Ids of the prerequisites, a JSON list; null without prerequisites. */
    prerequisites: string | null;
    body: string;
  };
  /** Packs that may be sent (PACK-1): the documents of `audience` and `collection` with `since` < seq <= `until`. */
  packs: {
    audience: number;
    collection: string;
    since: number;
    until: number;
    /** How many documents it has. */
    records: number;
    /** SHA-256 of its file, hexadecimal, and the size of the file. */
    hash: string;
    bytes: number;
    /** The same of the file with their titles; null: the collection has none. */
    titles_hash: string | null;
    titles_bytes: number | null;
  };
  feed: {
    seq: Generated<number>;
    nonce: string;
    collection: string;
    id: string;
    key: string | null;
    userid: number | null;
    audience_before: number;
    audience_after: number;
    detail: Json | null;
  };
  /** Whose sessions or rights changed, in order; written by triggers. */
  access_changes: { change: Generated<number>; userid: number };
  idempotency: {
    userid: number;
    key: string;
    request_hash: string;
    status: number;
    kind: string | null;
    id: string | null;
    created_date: number;
  };
  imported_ids: { site: string; kind: string; source: number; id: number };
  /**
   * Sites that `benchbook mirror` copies. `ids`: `keep` or `map`; `viewer`: as whom it read them; `cursors`: until when
   * it has seen the changes of a list.
   */
  mirror_sources: {
    site: string;
    ids: string;
    viewer: Json;
    cursors: Json;
    started_date: number;
    finished_date: number | null;
  };
  /**
   * Their records. `id`: the record here; `seen`: what it was like there, and `ours`: what it was like here, when it was
   * copied. An empty `ours`: the record here is not the copy and is never changed.
   */
  mirrored: { site: string; kind: string; source: string; id: number; seen: string; ours: string };
  temporary_ids: { userid: number; key: string; id: string };
  users: {
    userid: Generated<number>;
    username: string;
    unique_username: string | null;
    email: string | null;
    password_hash: string | null;
    privileges: Json;
    join_date: number;
    reputation: number;
    image: Json | null;
    summary: string | null;
    about_raw: string;
    location: string | null;
    latitude: number | null;
    longitude: number | null;
    langid: string;
    enabled: Flag;
    /** The person's id at the identity provider. */
    sso_userid: string | null;
    /** The username as a search compares it: normalized, lower case. */
    username_search: Generated<string>;
    /** When the password was set; null: with the account, or before this column existed. */
    password_date: number | null;
    /** 0: another person set it and may know it, so it cannot sign until the owner has set another. */
    password_is_own: Generated<Flag>;
    /** A UUID that no other account ever has, here or elsewhere. */
    accountid: string;
    /**
     * Who last set password, e-mail address or single sign-on id for the owner (0: the command line); null: no one
     * since the last signature.
     */
    access_by: number | null;
    /** When another person last did. */
    access_date: number | null;
    /** The e-mail address that the account had before that. */
    address_before: string | null;
  };
  /** Current and former names of accounts, maintained by triggers: no other account gets one. */
  account_names: { kind: 'email' | 'unique_username' | 'sso_userid'; value: string; userid: number };
  tokens: {
    token_hash: string;
    userid: number;
    device: string;
    created_date: number;
    used_date: number;
    expires_date: number;
    /** Public id of the session: the hash of its token stays internal. */
    sessionid: string;
    /** The address it was started from. */
    address: string;
    /** The administrator who made it to act as this person. */
    impersonator: Generated<number | null>;
    /** The administrator's session, with which it ends. */
    impersonator_token: Generated<string | null>;
  };
  app_ids: { appid: string; name: string; created_date: number; revoked_date: number | null };
  /** `email`: the address that the account gets with the password. */
  password_resets: {
    token_hash: string;
    userid: number | null;
    expires_date: number;
    email: Generated<string | null>;
    /** Why the mail of an invitation could not be sent, in the words of the mail server. */
    failure: Generated<string | null>;
  };
  reset_requests: { subject: string; date: number };
  webhooks: {
    webhookid: Generated<number>;
    url: string;
    description: string;
    events: Json;
    secret: string;
    enabled: Flag;
    created_date: number;
  };
  /** `subject`: the record of the event, e.g. `guides/61`; deliveries of one subject keep their order. */
  webhook_events: { eventid: string; event: string; subject: string; body: Json; created_date: number };
  webhook_deliveries: {
    deliveryid: Generated<number>;
    webhookid: number;
    eventid: string;
    subject: string;
    status: 'waiting' | 'delivered' | 'dead';
    attempts: number;
    /** Time of the next attempt, UNIX milliseconds. */
    next_ms: number;
    last_status: number | null;
    last_error: string | null;
    last_date: number | null;
  };
  /** `key_hash`: hash of the key of a device, or of an address. */
  known_devices: { userid: number; key_hash: string; seen_date: number };
  /** `secret`: 32 bytes in base64. It has to be readable, because devices ask for it again. */
  device_secrets: { accountid: string; device: string; secret: string; created_date: number };
  stations: {
    /** The station's account. */
    stationid: number;
    place: string;
    settings: Json;
    created_date: number;
    /** Hash of the enrolment code that is waiting, with the key of the server. */
    code_hash: string | null;
    code_expires: number | null;
    /** The token of its device: the only one that may record in the name of people. */
    token_hash: string | null;
    /** The secret by which it checks verifiers, encrypted with the key of the server. */
    secret: string | null;
    enrolled_date: number | null;
    revoked_date: number | null;
    /** What its device said about itself at its last contact. */
    device: string | null;
    app_version: string | null;
    contact_date: number | null;
    waiting: number | null;
    waiting_since: number | null;
    failed_tries: number | null;
    /** The hash of the code that ends station mode, encrypted with the key of the server; null: from before there were any. */
    exit_sealed: string | null;
  };
  /** Tokens of devices that no longer are a station, so that they can be told. */
  ended_station_tokens: {
    token_hash: string;
    stationid: number;
    ended_date: number;
    reason: 'revoked' | 'replaced';
  };
  /** People who were added to a station by name. */
  station_named: { stationid: number; userid: number };
  /** Who was of a station, and when; `until` null: still is. */
  station_members: {
    memberid: Generated<number>;
    stationid: number;
    userid: number;
    since: number;
    until: number | null;
  };
  /** Former members in whose name a station has sent calls since, and what a lead decided. */
  station_former: {
    stationid: number;
    userid: number;
    first_tried: number;
    last_tried: number;
    /** When the calls were recorded, as the station says. */
    earliest: number;
    latest: number;
    decision: 'accepted' | 'refused' | null;
    decided_by: number | null;
    decided_date: number | null;
  };
  /** `number_hash`: with the key of the server. `sealed`: argon2id of the number, encrypted with that key. */
  station_badges: {
    station_badgeid: Generated<number>;
    userid: number;
    label: string;
    number_hash: string;
    sealed: string;
    issued_date: number;
    issued_by: number;
    revoked_date: number | null;
    revoked_by: number | null;
  };
  /** `sealed`: argon2id of the PIN, encrypted with the key of the server. */
  station_pins: { userid: number; sealed: string; set_date: number; set_by: number };
  /** Calls that a station sent in the name of a person. `recorded_date`: as the station said. */
  station_arrivals: {
    arrivalid: Generated<number>;
    stationid: number;
    userid: number;
    date: number;
    recorded_date: number;
    action: string;
    object: string;
    objectid: string;
  };
  login_attempts: { subject: string; failures: number; last_date: number };
  teams: {
    teamid: Generated<number>;
    name: string;
    description: string;
    owner: number | null;
    join_code: string | null;
    created_date: number;
    image: Json | null;
    location: string | null;
    latitude: number | null;
    longitude: number | null;
  };
  team_attributes: { attributeid: Generated<number>; teamid: number; name: string; value: string };
  training_modules: {
    moduleid: Generated<number>;
    title: string;
    userid: number;
    current_importid: number | null;
    draft_importid: number | null;
    created_date: number;
    modified_date: number;
  };
  training_imports: {
    importid: Generated<number>;
    moduleid: number;
    vendor_version_number: number;
    status: 'created' | 'running' | 'complete' | 'error' | 'cancelled';
    /** Its job in `jobs`, once it was started. */
    jobid: number | null;
    userid: number;
    standard: string | null;
    title: string | null;
    /** The parsed manifest (`features/training/package.ts`), once complete. */
    package: Json | null;
    error: string | null;
    init_date: number;
    end_date: number | null;
  };
  /** Files of a complete import; `number` is their name on disk. */
  training_files: { importid: number; path: string; number: number; size: number };
  training_registrations: {
    registrationid: Generated<number>;
    importid: number;
    userid: number;
    preview: Flag;
    uuid: string;
    completion: string;
    success: string;
    score: number | null;
    init_date: number;
    modified_date: number;
    completed_date: number | null;
  };
  /** Data that the parts of a module stored for a person: the data model of SCORM and AICC, flat. */
  training_activities: {
    registrationid: number;
    activityid: string;
    data: Json;
    completion: string;
    success: string;
    score: number | null;
    modified_date: number;
  };
  training_statements: {
    number: Generated<number>;
    registrationid: number;
    statementid: string;
    body: Json;
    stored_ms: number;
  };
  training_documents: {
    registrationid: number;
    resource: string;
    activity: string;
    documentid: string;
    type: string;
    body: Buffer;
    modified_date: number;
  };
  /** `link`: opens the player once; `session`: an open player; `fetch`: gives a cmi5 unit its credentials once. */
  training_sessions: {
    token_hash: string;
    kind: 'link' | 'session' | 'fetch';
    importid: number;
    userid: number;
    preview: Flag;
    registrationid: number | null;
    expires_date: number;
    /**
     * The session of the person who opened it, with which it ends (a cascade); null: opened before this was recorded.
     */
    session_token: string | null;
  };
  quizzes: {
    quizid: Generated<number>;
    title: string;
    /** The title as a search compares it: normalized, lower case. */
    title_search: string;
    passing_score: number;
    question_count: number;
    quiz_revisionid: number;
    userid: number;
    created_date: number;
    modified_date: number;
    deleted: Flag;
  };
  quiz_revisions: {
    quiz_revisionid: Generated<number>;
    quizid: number;
    userid: number;
    date: number;
    survey: Json;
  };
  quiz_associations: { guideid: number; quizid: number };
  /** Versions of guides with the version of a quiz that was attached in them. */
  guide_quiz_revisions: { guide_revisionid: number; guideid: number; quiz_revisionid: number };
  quiz_sessions: {
    sessionid: Generated<number>;
    quizid: number;
    quiz_revisionid: number;
    userid: number;
    status: 'in_progress' | 'completed' | 'cancelled';
    response_json: Json;
    guideid: number | null;
    course_stageid: number | null;
    start_date: number;
    modified_date: number;
    end_date: number | null;
    score: number | null;
    passing_score: number;
    passed: Flag | null;
    /** Idempotency-Key of the device's call that began it. */
    key: string | null;
  };
  approval_processes: {
    approval_processid: Generated<number>;
    name: string;
    /** The name as a search compares it: normalized, lower case. */
    name_search: string;
    description: string;
    created_date: number;
    modified_date: number;
  };
  approval_stages: {
    approval_stageid: Generated<number>;
    approval_processid: number;
    orderby: number;
    name: string;
    meaning: 'approved' | 'reviewed';
    required_approvals: number;
    userids: Json;
    teamids: Json;
  };
  /** The process that new guides under a category begin with. */
  category_approvals: { wikiid: number; approval_processid: number };
  guide_approvals: { guideid: number; approval_processid: number };
  approval_requests: {
    approval_requestid: Generated<number>;
    approval_processid: number;
    guideid: number;
    langid: string;
    purpose: 'publish' | 'release';
    /** The version to sign, and its SHA-256. */
    revisionid: number;
    guide_revisionid: number;
    revision_hash: string;
    /** The releases of the version's pinned prerequisites: `{guideid, releaseid}`. */
    prerequisites: Json;
    /** The forms of its steps: `{stepid, form_revisionid}`; null: requested before forms were signed. */
    forms: string | null;
    /** The stages at the time of the request. */
    stages: Json;
    userid: number;
    status: 'pending' | 'approved' | 'rejected' | 'void';
    init_date: number;
    end_date: number | null;
    reason: string | null;
    /** The version that the approval made. */
    published_guide_revisionid: number | null;
    releaseid: number | null;
  };
  approval_signatures: {
    approval_signatureid: Generated<number>;
    approval_requestid: number;
    approval_stageid: number;
    userid: number;
    /** The person's name at the time of signing. */
    name: string;
    meaning: 'approved' | 'rejected' | 'reviewed';
    comment: string;
    method: 'password' | 'token';
    revision_hash: string;
    date: number;
  };
  record_signatures: {
    record_signatureid: Generated<number>;
    entryid: number;
    userid: number;
    /** The person's name at the time of signing. */
    name: string;
    meaning: 'performed' | 'reviewed' | 'released';
    comment: string;
    method: 'password' | 'token';
    /** Of the record that was signed. */
    sha256: string;
    date: number;
  };
  courses: {
    courseid: Generated<number>;
    title: string;
    description: string;
    userid: number;
    created_date: number;
    modified_date: number;
  };
  course_stages: {
    course_stageid: Generated<number>;
    courseid: number;
    orderby: number;
    title: string;
    doctype: string;
    docid: number;
    passing_score: number | null;
  };
  course_assignments: {
    course_assignmentid: Generated<number>;
    courseid: number;
    teamid: number | null;
    userid: number | null;
    due_date: number | null;
    created_date: number;
  };
  course_stage_completions: {
    course_assignment_stage_completionid: Generated<number>;
    course_stageid: number;
    userid: number;
    score: number | null;
    date: number;
  };
  course_completions: { courseid: number; userid: number; date: number };
  merits: {
    kind: string;
    subject: string;
    userid: number;
    guideid: number | null;
    points: number;
    active: Flag;
    date: number;
  };
  badges: {
    badgeid: number;
    name: string;
    type: string;
    category: string;
    description: string;
    measure: string;
    threshold: number;
    multiple: Flag;
    secondary_color: string;
  };
  badge_awards: { badgeid: number; userid: number; times_earned: number; date: number };
  unpublished_merits: { userid: number };
  team_members: { teamid: number; userid: number; joined_date: number };
  guides: {
    guideid: Generated<number>;
    revisionid: number;
    guide_revisionid: number;
    userid: number;
    public: Flag;
    deleted: Flag;
    featured: Flag;
    category: string;
    type: string;
    title: string;
    langid: string;
    created_date: number;
    modified_date: number;
  };
  guide_revisions: {
    guideid: number;
    guide_revisionid: number;
    revisionid: number;
    userid: number;
    date: number;
    body: Json;
  };
  steps: { stepid: Generated<number>; guideid: number; deleted: Flag };
  lines: { lineid: Generated<number>; stepid: number };
  guide_prerequisites: { guideid: number; prerequisiteid: number };
  favorites: { userid: number; guideid: number; date: number };
  completions: { userid: number; guideid: number; date: number };
  tags: { tagid: Generated<number>; name: string };
  guide_tags: { guideid: number; tagid: number };
  wiki_tags: { wikiid: number; tagid: number };
  wikis: {
    wikiid: Generated<number>;
    namespace: string;
    title: string;
    langid: string;
    /** The version that is shown. */
    revisionid: number;
    parent: string | null;
    deleted: Flag;
    modified_date: number;
    display_title: Generated<string>;
    stub: Generated<Flag>;
    source_revisionid: Generated<number | null>;
    /** A newer version that is not patrolled yet. */
    unpatrolled_revisionid: Generated<number | null>;
  };
  /** Former names of wikis. */
  wiki_names: { namespace: string; title: string; wikiid: number };
  wiki_revisions: {
    revisionid: number;
    wikiid: number;
    userid: number;
    date: number;
    body: Json;
    patrolled: Generated<Flag>;
  };
  glossary_entries: { entryid: Generated<number>; source_langid: string; term: string; notes: string };
  glossary_translations: { entryid: number; langid: string; text: string };
  machine_translations: {
    source_langid: string;
    langid: string;
    text: string;
    translation: string;
    date: number;
  };
  step_forms: { stepid: number; guideid: number; form_revisionid: number };
  step_form_revisions: {
    form_revisionid: number;
    stepid: number;
    guideid: number;
    userid: number;
    date: number;
    body: Json;
  };
  step_form_fields: {
    field_revisionid: number;
    field_guid: string;
    stepid: number;
    form_revisionid: number;
    body: Json;
  };
  work_log: {
    entryid: Generated<number>;
    guideid: number;
    userid: number;
    workorderid: string;
    status: string;
    starttime: number;
    endtime: number | null;
    /** Number of required fields without a value at the end. */
    gaps: number;
    /** That of the entry's document, which triggers copy; null before there is one. */
    audience: Generated<number | null>;
  };
  /**
   * Serial and lot numbers of entries. `number`: as numbers are compared; `text`: as it was entered. `audience`: that of the
   * entry's document, which triggers copy.
   */
  traced_numbers: {
    number: string;
    entryid: number;
    kind: 'unit' | 'part';
    audience: number;
    text: string;
  };
  /** The revisions of guides by which entries were worked, as people count them. `audience`: as in `traced_numbers`. */
  worked_revisions: { guideid: number; revision_number: number; entryid: number; audience: number };
  /** What reports count of entries that were finished. Times in seconds; `audience`: as in `traced_numbers`. */
  finished_orders: {
    entryid: number;
    guideid: number;
    /** Who finished it. */
    userid: number;
    ended: number;
    /** Working time. */
    active: number;
    /** Number of required fields without a value. */
    missing: number;
    audience: number;
  };
  /** Working time of the steps of finished orders. */
  step_times: { entryid: number; stepid: number; seconds: number };
  /** Required fields without a value in finished orders. */
  missing_values: { entryid: number; field_guid: string; stepid: number; label: string };
  /** The last value of each number field in finished orders. `ended`: of the order. */
  measured_numbers: {
    field_guid: string;
    ended: number;
    entryid: number;
    stepid: number;
    label: string;
    unit: string;
    value: number;
    min: number | null;
    max: number | null;
    userid: number;
    at: number;
  };
  deviations: {
    deviationid: Generated<number>;
    entryid: number;
    guideid: number;
    workorderid: string;
    field_guid: string | null;
    decided: number;
  };
  planned_orders: {
    planned_orderid: Generated<number>;
    guideid: number;
    workorderid: string;
    userid: number | null;
    teamid: number | null;
    status: PlannedStatus;
    entryid: number | null;
    seriesid: number | null;
    /** The time for which a series made it. */
    occurrence: number | null;
    /** The deviation that it follows up; null also if that was deleted since. */
    deviationid: number | null;
    /** The release of the guide that it names. */
    releaseid: number | null;
  };
  /** Planned orders that repeat. */
  planned_series: {
    seriesid: Generated<number>;
    /** RFC 5545. */
    rrule: string;
    /** Local time of the first due time in `time_zone`, such as `20261201T080000`. */
    start: string;
    time_zone: string;
    /** What each order has besides its due time and who is to do it. */
    template: Json;
    userid: number | null;
    teamid: number | null;
    /** Orders exist for all occurrences up to this time. */
    planned_until: number;
    ended: Flag;
  };
  shift_summaries: {
    shift_summaryid: Generated<number>;
    teamid: number;
    /** The span, UNIX seconds. */
    from_date: number;
    to_date: number;
    /** Of the summary in its document. */
    sha256: string;
  };
  comments: {
    commentid: Generated<number>;
    context: string;
    contextid: number;
    guideid: number | null;
    parentid: number | null;
    userid: number;
    langid: string | null;
    text_raw: string;
    date: number;
    modified_date: number;
    replied_date: number;
    rating: number;
    status: string;
    status_reason: string | null;
    key: string | null;
    /** The station at which it was recorded. */
    stationid: Generated<number | null>;
    /** The reason, if it is feedback. */
    feedback_reason: Generated<string | null>;
    /** Who closed the feedback, and when. */
    feedback_done_by: Generated<number | null>;
    feedback_done_date: Generated<number | null>;
    /** Of an imported comment: the title of what it commented, as the other site said it. */
    title: Generated<string | null>;
  };
  images: {
    imageid: Generated<number>;
    guid: string;
    userid: number;
    filename: string;
    width: number;
    height: number;
    size: number;
    sha256: string | null;
    format: string;
    markup: string | null;
    srcid: number | null;
    exif: Json;
    drawing: Json | null;
    created_date: number;
  };
  /** Pictures in the texts of a record: everybody who may see the record may see them. */
  text_pictures: { collection: string; id: string; imageid: number };
  /** Files of a record, which everybody who may see the record may read: guids, or `Document:12` for a form value. */
  file_uses: { collection: string; id: string; file: string };
  document_files: {
    documentid: Generated<number>;
    guid: string;
    userid: number;
    filename: string;
    title: string;
    size: number;
    sha256: string | null;
    created_date: number;
  };
  video_files: {
    videoid: Generated<number>;
    guid: string;
    userid: number;
    filename: string;
    size: number;
    sha256: string;
    mime: string;
    created_date: number;
    /** Milliseconds; 0: not known. */
    duration: Generated<number>;
    width: Generated<number>;
    height: Generated<number>;
    /** The preview picture, in the format of pictures in guides. */
    poster: Json | null;
  };
  guide_releases: {
    releaseid: Generated<number>;
    guideid: number;
    guide_revisionid: number;
    revisionid: number;
    langid: string;
    userid: number;
    title: string;
    type: string;
    notes: string;
    /** For a pending one: when the approval was requested. */
    release_date: number;
    /** `pending`: waiting for its approval; the row is deleted if that is refused. */
    status: Generated<'pending' | 'released'>;
    /** `SignedForm[]`: the forms of the steps, in their order; null: released before they were stored. */
    forms: string | null;
  };
  posts: {
    postid: Generated<number>;
    kind: string;
    userid: number;
    langid: string;
    title: string;
    text_raw: string;
    /** For stories: introduction and conclusion. */
    intro_raw: Generated<string>;
    conclusion_raw: Generated<string>;
    image: Json | null;
    /** For stories: what was repaired, and with which guide. */
    category: string | null;
    guideid: Generated<number | null>;
    date: number;
    modified_date: number;
    deleted: Flag;
  };
  /** Indexed records; `audience` is that of the document. */
  search_entries: {
    entryid: Generated<number>;
    collection: string;
    id: string;
    kind: string;
    audience: number;
  };
  /** Records whose words must be indexed. */
  search_waiting: { collection: string; id: string };
  media_manager: { userid: number; kind: string; id: number; date: number };
  /** Work that outlives a request (`jobs/runner.ts`). */
  jobs: {
    jobid: Generated<number>;
    kind: string;
    /** The owner; null: the server. */
    userid: number | null;
    /** A name for finding it, as its kind defines it; '' if none is needed. */
    subject: string;
    state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
    /** The process that runs it. */
    runner: 'server' | 'cli';
    /** The administrator who queued it while acting as this person. */
    impersonator: Generated<number | null>;
    /** The id of the request that queued it, as in the log; null: no request did. */
    request_id: Generated<string | null>;
    /** Number of starts. */
    starts: number;
    cancelling: Flag;
    input: Json;
    cursor: Json | null;
    progress: Json | null;
    result: Json | null;
    error: Json | null;
    created_date: number;
    finished_date: number | null;
  };
  archive_imports: {
    importid: Generated<number>;
    userid: number;
    existing: 'skip' | 'new' | 'revision';
    author: 'importer' | 'name';
    visibility: 'archived' | 'private' | 'public';
    links: Generated<'fetch' | 'leave'>;
    dry_run: Flag;
    url: string | null;
    filename: string;
    size: number;
    received: number;
    /** SHA-256 of the file, once it is complete. */
    sha256: string | null;
    /** Address of this site that the importer used. */
    base: string | null;
    jobid: number | null;
    undo_jobid: number | null;
    created_date: number;
  };
  /** Effects of an archive import, so that it can be continued and undone. */
  import_effects: {
    importid: number;
    ordinal: number;
    member: string;
    kind: string;
    id: number;
    action: 'created' | 'changed' | 'skipped';
    revision_before: number | null;
    revision_after: number | null;
    undone: string | null;
  };
  archives: {
    archiveid: Generated<number>;
    name: string;
    title: string;
    /** For the collection: the category whose subtree it contains; null: the whole site, or selected guides. */
    category: string | null;
    /** The owner; null: it belongs to the collection. */
    userid: number | null;
    /** Hash of the content that it was made from. */
    content: string;
    sha256: string;
    size: number;
    guides: number;
    created_date: number;
    current: Flag;
    expires_date: number | null;
  };
  archive_guides: { archiveid: number; guideid: number };
  /** Everything that changed on the server, in a chain of hashes (`features/audit/README.md`). */
  audit_log: {
    seq: number;
    /** UNIX milliseconds. */
    at: number;
    /** null: an anonymous caller, or the server itself. */
    userid: number | null;
    /** The name of the person at that time. */
    name: string;
    impersonator: number | null;
    action: string;
    outcome: 'done' | 'refused';
    object: string;
    object_id: string;
    revision_before: number | null;
    revision_after: number | null;
    address: string;
    changes: Json;
    prev_hash: string;
    hash: string;
  };
  /** Requests to the identity provider. */
  sign_ons: {
    sign_onid: string;
    request_id: string;
    /** The address at which the person authenticates. */
    url: string;
    userid: number;
    created_date: number;
    expires_date: number;
    status: 'waiting' | 'confirmed' | 'refused' | 'taken';
    /** When the person authenticated, according to the identity provider. */
    authenticated_date: number | null;
    error: string | null;
  };
  /** Requests to sign in through the identity provider. */
  sign_ins: {
    sign_inid: string;
    request_id: string;
    /** SHA-256 of a secret of the requesting device. */
    challenge: string;
    /** The address at which the device receives the code; null: the app of the site. */
    return_to: string | null;
    /** Hash of the requesting address. */
    subject: string;
    created_date: number;
    expires_date: number;
    /** Hash of the code with which the device gets its token, once the identity provider has answered. */
    code_hash: string | null;
    /** The assertion of the identity provider. */
    asserted: Json | null;
    /** Whether it was refused. */
    is_over: Generated<Flag>;
  };
  /** Tokens for signing once. */
  sign_on_tokens: { token_hash: string; userid: number; authenticated_date: number; expires_date: number };
  /** Used assertions, stored until they expire. */
  sign_on_assertions: { assertionid: string; expires_date: number };
}

/** A database handle: the reader on a read, the transaction on a write. */
export type Db = Kysely<Tables> | Transaction<Tables>;
export type Tx = Transaction<Tables>;
