import { mailAdministrators } from '#server/features/tokens/notices.ts';
import type { Services } from '#server/core/services.ts';

import { needsSetup } from '#server/features/setup/setup.ts';

import { changeBackupState, readBackupState } from './state.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** The scheduled backups; null without a folder for them. */
    backups: { schedule: BackupSchedule | null };
  }
}

/** Time between two proofs, ms. */
const proofEveryMs = 7 * 24 * 3_600_000;
/** Pause after a start and after a failed attempt, ms. */
const pauseMs = 10 * 60_000;
/** Longest timer of Node.js, ms. */
const longestTimer = 2 ** 31 - 1;
const hourMs = 3_600_000;

/** The result of a command. */
export interface CommandResult {
  code: number;
  /** Its error output, or its output if that is empty. */
  text: string;
}

export interface Schedule {
  dataDir: string;
  /** Runs `benchbook` in a process of its own. Resolves when it ends. */
  run: (args: string[], signal: AbortSignal) => Promise<CommandResult>;
  /** Whether this node makes the scheduled backups. Default: it does. */
  isOurs?: () => Promise<boolean>;
  /** Calls `work` once after `ms`; returns a function that cancels the call. Default: a timer of Node.js. */
  setTimer?: (work: () => void, ms: number) => () => void;
}

function setNodeTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

type Needs = Pick<Services, 'now' | 'log' | 'site' | 'storage'> & {
  mailer: Pick<Services['mailer'], 'send'>;
};

/**
 * Runs scheduled backups and proofs, in processes of their own, with the commands that administrators use.
 *
 * - BACKUP-12 A backup is made at the interval of the settings, and the newest one is proved once a week.
 * - BACKUP-13 A failure is logged and retried. Administrators get a mail when it begins and when it is over.
 * - BACKUP-17 A server without an administrator is not backed up: its backup would be the newest one where another site is
 *   to be restored from.
 * - BACKUP-24 Of several nodes on one database that have a folder for backups, one makes them. When it ends, another one
 *   goes on.
 * - BACKUP-14 After a restart, the rest of the interval is waited for.
 */
export class BackupSchedule implements AsyncDisposable {
  readonly #services: Needs;
  readonly #schedule: Schedule;
  readonly #ending = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #earliest: number;
  #isWorking = false;
  /** Whether somebody asked for a backup. */
  #isAsked = false;

  constructor(services: Needs, schedule: Schedule) {
    this.#services = services;
    this.#schedule = schedule;
    this.#earliest = services.now() + pauseMs;
  }

  /** Waits for the next backup or proof. */
  async start(): Promise<void> {
    const { at } = await this.#next();
    if (this.#ending.signal.aborted || this.#isWorking) return;
    const wait = Math.max(at, this.#earliest) - this.#services.now();
    const { setTimer = setNodeTimer } = this.#schedule;
    this.#cancelTimer = setTimer(() => this.#begin(), Math.min(Math.max(0, wait), longestTimer));
  }

  /** Whether a backup or proof is being made. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /**
   * Makes a backup at once; false while one, or a proof, is being made.
   *
   * - BACKUP-20 An administrator can have a backup made at once. The next one follows after the interval.
   */
  makeNow(): boolean {
    if (this.#isWorking || this.#ending.signal.aborted) return false;
    this.#cancelTimer();
    this.#isAsked = true;
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#isWorking = true;
    this.#running = this.#work()
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'the backup schedule failed'))
      .then(() => {
        this.#isWorking = false;
        return this.start();
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#cancelTimer();
    await this.#running;
  }

  async #next(): Promise<{ command: 'backup' | 'verify'; at: number }> {
    const { lastBackup, lastProof } = await readBackupState(this.#schedule.dataDir, this.#services.now());
    const backup = (lastBackup?.at ?? 0) + this.#services.site.backup_hours * hourMs;
    const hasFailed = lastProof !== null && lastProof.findings.length > 0;
    // A proof that failed is repeated as soon as a new backup has replaced what was damaged.
    const isOutdated = hasFailed && lastBackup !== null && lastBackup.at > lastProof.at;
    const proof = isOutdated ? lastBackup.at : (lastProof?.at ?? 0) + proofEveryMs;
    return lastBackup === null || backup <= proof
      ? { command: 'backup', at: backup }
      : { command: 'verify', at: proof };
  }

  async #work(): Promise<void> {
    const isAsked = this.#isAsked;
    this.#isAsked = false;
    const { command, at } = isAsked ? { command: 'backup' as const, at: 0 } : await this.#next();
    const { now, storage } = this.#services;
    // An administrator may have made one meanwhile, and a long wait has several timers.
    if (at > now()) return;
    if (!isAsked && !((await this.#schedule.isOurs?.()) ?? true)) {
      this.#earliest = now() + pauseMs;
      return;
    }
    if (await needsSetup(storage.reader)) {
      this.#earliest = now() + pauseMs;
      return;
    }
    const { backup_days, backup_weeks, backup_months } = this.#services.site;
    const keep = [
      ['--keep-days', backup_days],
      ['--keep-weeks', backup_weeks],
      ['--keep-months', backup_months],
    ].flatMap((pair) => pair.map(String));
    const args = command === 'backup' ? [command, ...keep] : [command];
    const { code, text } = await this.#schedule
      .run(args, this.#ending.signal)
      // Such as a process that was killed.
      .catch((error: unknown) => ({ code: 1, text: error instanceof Error ? error.message : String(error) }));
    if (this.#ending.signal.aborted) return;
    if (code !== 0) this.#earliest = now() + pauseMs;
    await this.#report(command, code === 0 ? null : text);
  }

  /** `failure`: null if the command succeeded. */
  async #report(command: 'backup' | 'verify', failure: string | null): Promise<void> {
    const { log, site } = this.#services;
    const { dataDir } = this.#schedule;
    const { notified } = await readBackupState(dataDir);
    const before = notified[command];
    if (failure !== null) log.error({ command, failure }, `benchbook ${command} failed`);
    else if (before) log.info({ command }, `benchbook ${command} works again`);
    if (before === (failure !== null)) return;
    await changeBackupState(dataDir, { notified: { ...notified, [command]: failure !== null } });
    const { title } = site;
    await mailAdministrators(this.#services, ({ mails: { backupFailed, backupWorks } }) =>
      failure === null
        ? { subject: backupWorks.subject(command, title), text: backupWorks.text(command, title) }
        : { subject: backupFailed.subject(command, title), text: backupFailed.text(command, title, failure) },
    );
  }
}
