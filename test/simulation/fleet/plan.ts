/** A person's action in the app. `picks` are numbers that choose among the present elements. */
export interface Doing {
  /** Makes its words unique in the run. */
  id: number;
  kind: DoingKind;
  picks: number[];
  /** The number of one of the first guides: the action uses it if the person sees it. */
  guide?: number;
  /** The action that started a work order: this one uses that order if the person sees it. */
  order?: number;
}

export const doingKinds = [
  'new-guide',
  'save-guide',
  'edit-draft',
  'save-draft',
  'discard-draft',
  'publish',
  'comment',
  'edit-comment',
  'remove-comment',
  'reply',
  'tag',
  'favorite',
  'complete',
  'start-order',
  'move-order',
  'step-order',
  'value',
  'photo',
  'page-save',
  'new-page',
  'item-part',
  'picture',
  'own-order',
  'limit-value',
  'report',
  'decide-deviation',
  'plan-follow-up',
  'withdraw-follow-up',
  'own-follow-up',
  'finish-order',
  'suspend-order',
  'assume-order',
  'retry',
  'retry-all',
  'discard-call',
  'export-call',
  'edit-call',
  'decide',
  'sync-now',
  'look-at-guide',
  'leave-station',
] as const;
export type DoingKind = (typeof doingKinds)[number];

/** Faults of requests; see README.md. */
export const wireFaults = [
  'refused',
  'lost',
  'cut',
  'slow',
  'silence',
  'twice',
  'late',
  'half',
  'stale',
  'portal-200',
  'portal-302',
  'portal-511',
  'proxy-401',
  'proxy-403',
  'proxy-407',
  'proxy-413',
  'proxy-502',
  'proxy-504',
  'empty-200',
  'foreign-json',
  'bare',
  'proxy-503',
  'server-dies',
  'suspend-before',
  'suspend-after',
] as const;
export type WireFault = (typeof wireFaults)[number];

/** A fault of a device's requests: `skip` pass first, then it affects `count` of them. */
export interface Trap {
  fault: WireFault;
  skip: number;
  count: number;
  /** The affected requests: all, batches of calls, pulls, or uploads of files. */
  on: 'all' | 'batch' | 'pull' | 'upload';
  /** Duration of a slow response, virtual ms; default: longer than every timeout. */
  ms?: number;
}

export const deviceFaults = [
  'kill',
  'kill-in-write',
  'journal-full',
  'database-full',
  'lose-databases',
  'lose-journal',
  'flip-journal',
  'lose-both',
  'clock-jump',
  'clock-back',
  'sleep',
  'offline',
] as const;
export type DeviceFault = (typeof deviceFaults)[number];

export const serverFaults = [
  'restart',
  'gone',
  'disk-full',
  'other-server',
  'newer-protocol',
  'restore-files',
  'restore-command',
] as const;
export type ServerFault = (typeof serverFaults)[number];

export const rightsChanges = [
  'guide-private',
  'guide-public',
  'allow',
  'disallow',
  'tag-guide',
  'team-allow',
  'team-disallow',
  'team-add',
  'team-remove',
  'line-add',
  'line-remove',
  'line-lead',
  'role-author',
  'role-user',
  'role-admin',
  'suspend',
  'resume',
  'password',
  'end-tokens',
] as const;
export type RightsChange = (typeof rightsChanges)[number];

/** Actions of a client without a device. */
export const plainDoings = ['guide', 'replace', 'append', 'append', 'comment', 'comment', 'step'] as const;
export type PlainDoing = (typeof plainDoings)[number];

/** What people do at the station besides their work. Badges and PINs of `former` kinds were valid before the last change. */
export const stationDoings = [
  'badge',
  'pin',
  'former-badge',
  'former-pin',
  'unknown-badge',
  'wrong-pin',
  'lock',
] as const;
export type StationDoing = (typeof stationDoings)[number];

/** What administrators and leads do about the station. `copied-token`: somebody calls with the token of its device. */
export const officeDoings = [
  'new-badge',
  'lost-badge',
  'new-pin',
  'shut-out',
  'enrol',
  'accept',
  'refuse',
  'copied-token',
] as const;
export type OfficeDoing = (typeof officeDoings)[number];

export type Step =
  /**
   * `ms`: how long the device runs on afterwards. `next`: at the station, who signs in while the action runs; null: the
   * station is locked meanwhile.
   */
  | { do: 'act'; device: number; doing: Doing; ms: number; next?: number | null }
  /** At the station. */
  | { do: 'station'; what: StationDoing; person: number }
  /** About the station. `id`: of the words of a copied token. */
  | { do: 'office'; what: OfficeDoing; person: number; picks: number[]; id: number }
  | { do: 'run'; device: number; ms: number }
  | { do: 'online'; device: number; on: boolean }
  | { do: 'restart'; device: number }
  | { do: 'sign-out'; device: number }
  /** `other`: at another address of the same server. */
  | { do: 'sign-in'; device: number; person: number; other: boolean }
  | { do: 'trap'; device: number; trap: Trap }
  | { do: 'device-fault'; device: number; fault: DeviceFault; picks: number[] }
  | { do: 'server-fault'; fault: ServerFault; picks: number[] }
  | { do: 'back-up' }
  /** `guide`: the number of the affected guide, instead of a pick. */
  | { do: 'rights'; change: RightsChange; picks: number[]; guide?: number }
  | { do: 'plain'; what: PlainDoing; id: number; picks: number[]; guide?: number }
  | { do: 'time'; ms: number }
  /** The faults end; everyone waits for a quiet point, and the state is checked. */
  | { do: 'quiet' };

export interface Plan {
  seed: number;
  /** The initial person of each device, by number. */
  devices: number[];
  people: number;
  /** Number of initial guides. */
  guides: number;
  /** Whether people work in a team with a lead, and forms have limits and required fields. Older plans have neither. */
  line?: true;
  /** The device with the app of protocol 5, if any. */
  old?: number;
  /** Whether one more device, the last one, is a station. */
  station?: true;
  steps: Step[];
}
