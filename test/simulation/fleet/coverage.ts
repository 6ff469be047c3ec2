import type { DeviceFault, DoingKind, RightsChange, ServerFault, WireFault } from './plan.ts';

export type FaultKind = WireFault | DeviceFault | ServerFault | RightsChange;

/** Actions of people, by subject. */
const groupOfAction: Record<DoingKind, string> = {
  'new-guide': 'guides',
  'save-guide': 'guides',
  publish: 'guides',
  'look-at-guide': 'guides',
  'leave-station': 'work orders',
  'edit-draft': 'drafts',
  'save-draft': 'drafts',
  'discard-draft': 'drafts',
  comment: 'comments',
  'edit-comment': 'comments',
  'remove-comment': 'comments',
  reply: 'comments',
  tag: 'tags and marks',
  favorite: 'tags and marks',
  complete: 'tags and marks',
  'start-order': 'work orders',
  'move-order': 'work orders',
  'step-order': 'work orders',
  'own-order': 'work orders',
  'limit-value': 'values and files',
  report: 'deviations',
  'decide-deviation': 'deviations',
  'plan-follow-up': 'deviations',
  'withdraw-follow-up': 'deviations',
  'own-follow-up': 'deviations',
  'finish-order': 'work orders',
  'suspend-order': 'work orders',
  'assume-order': 'work orders',
  value: 'values and files',
  photo: 'values and files',
  picture: 'values and files',
  'page-save': 'pages',
  'new-page': 'pages',
  'item-part': 'pages',
  retry: 'refused calls',
  'retry-all': 'refused calls',
  'discard-call': 'refused calls',
  'export-call': 'refused calls',
  'edit-call': 'refused calls',
  'sync-now': 'refused calls',
  decide: 'decisions',
};

const groupOfFault: Record<FaultKind, string> = {
  refused: 'no answer',
  lost: 'no answer',
  slow: 'no answer',
  silence: 'no answer',
  cut: 'halves',
  half: 'halves',
  twice: 'twice, late, stale',
  late: 'twice, late, stale',
  stale: 'twice, late, stale',
  'suspend-before': 'twice, late, stale',
  'suspend-after': 'twice, late, stale',
  'portal-200': 'answers of others',
  'portal-302': 'answers of others',
  'portal-511': 'answers of others',
  'proxy-401': 'answers of others',
  'proxy-403': 'answers of others',
  'proxy-407': 'answers of others',
  'proxy-413': 'answers of others',
  'proxy-502': 'answers of others',
  'proxy-503': 'answers of others',
  'proxy-504': 'answers of others',
  'empty-200': 'answers of others',
  'foreign-json': 'answers of others',
  bare: 'answers of others',
  'server-dies': 'server dies, gone, full',
  restart: 'server dies, gone, full',
  gone: 'server dies, gone, full',
  'disk-full': 'server dies, gone, full',
  'other-server': 'other or newer server',
  'newer-protocol': 'other or newer server',
  'restore-files': 'restored',
  'restore-command': 'restored',
  kill: 'app killed',
  'kill-in-write': 'app killed',
  'journal-full': 'device full',
  'database-full': 'device full',
  'lose-databases': 'stores lost',
  'lose-journal': 'stores lost',
  'flip-journal': 'stores lost',
  'lose-both': 'stores lost',
  'clock-jump': 'clock, sleep, offline',
  'clock-back': 'clock, sleep, offline',
  sleep: 'clock, sleep, offline',
  offline: 'clock, sleep, offline',
  'guide-private': 'rights',
  'guide-public': 'rights',
  allow: 'rights',
  disallow: 'rights',
  'tag-guide': 'rights',
  'team-allow': 'rights',
  'team-disallow': 'rights',
  'team-add': 'rights',
  'team-remove': 'rights',
  'line-add': 'rights',
  'line-remove': 'rights',
  'line-lead': 'rights',
  'role-author': 'rights',
  'role-user': 'rights',
  'role-admin': 'rights',
  suspend: 'sessions ended',
  resume: 'sessions ended',
  password: 'sessions ended',
  'end-tokens': 'sessions ended',
};

/** Actions on one device since the last quiet point, and the faults that affected it, by group. */
interface Span {
  actions: Map<string, number>;
  faults: Set<string>;
}

/**
 * How many actions met which faults, by group: faults of the same device, or of all devices, between the same two
 * quiet points.
 */
export class Coverage {
  readonly #devices = new Map<number, Span>();
  readonly #everywhere = new Set<string>();
  readonly #met = new Map<string, number>();

  noteAction(device: number, kind: DoingKind): void {
    const { actions } = this.#spanOf(device);
    add(actions, groupOfAction[kind], 1);
  }

  /** `device`: null for a fault of all devices. */
  noteFault(device: number | null, fault: FaultKind): void {
    const faults = device === null ? this.#everywhere : this.#spanOf(device).faults;
    faults.add(groupOfFault[fault]);
  }

  /** At a quiet point the events before it are counted. */
  rest(): void {
    for (const { actions, faults } of this.#devices.values())
      for (const [action, times] of actions)
        for (const fault of new Set([...faults, ...this.#everywhere]))
          add(this.#met, cell(action, fault), times);
    this.#devices.clear();
    this.#everywhere.clear();
  }

  /** Adds the coverage of another run. */
  join(other: Coverage): void {
    for (const [key, times] of other.#met) add(this.#met, key, times);
  }

  /** A Markdown table: a row for each group of faults, a column for each group of actions. */
  table(): string {
    const actions = [...new Set(Object.values(groupOfAction))];
    const faults = [...new Set(Object.values(groupOfFault))];
    const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
    return [
      row(['', ...actions]),
      row(['', ...actions].map((_, column) => (column === 0 ? '---' : '---:'))),
      ...faults.map((fault) =>
        row([fault, ...actions.map((action) => `${this.#met.get(cell(action, fault)) ?? 0}`)]),
      ),
    ].join('\n');
  }

  #spanOf(device: number): Span {
    const span = this.#devices.get(device) ?? { actions: new Map(), faults: new Set() };
    this.#devices.set(device, span);
    return span;
  }
}

function add(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function cell(action: string, fault: string): string {
  return `${action}: ${fault}`;
}
