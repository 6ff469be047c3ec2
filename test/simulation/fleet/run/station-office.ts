import { must } from '#shared/must.ts';

import type { Step } from '../plan.ts';
import { lineTeam, password, stationIdle, stationName } from '../server-names.ts';
import { wordOf } from '../words.ts';
import type { ApiClient, Said } from './api-client.ts';
import type { RunContext } from './context.ts';
import type { ServerFaults } from './server-faults.ts';
import type { StationDesk } from './station-desk.ts';
import type { StationKeys } from './station-keys.ts';

/** Administrators and leads, who make the station, and decide who signs in there. */
export class StationOffice {
  readonly #context: RunContext;
  readonly #client: ApiClient;
  readonly #serverFaults: ServerFaults;
  readonly #desk: StationDesk;
  readonly #keys: StationKeys;
  #stationid = 0;

  constructor(
    context: RunContext,
    parts: { client: ApiClient; serverFaults: ServerFaults; desk: StationDesk; keys: StationKeys },
  ) {
    this.#context = context;
    this.#client = parts.client;
    this.#serverFaults = parts.serverFaults;
    this.#desk = parts.desk;
    this.#keys = parts.keys;
  }

  /** Makes the station of the team, and everybody's badge and PIN; the device enrols. The last person is not of the team. */
  async begin(): Promise<void> {
    const { people } = this.#context;
    const last = people.count - 1;
    if (last > 1) await this.#call('DELETE', `/teams/${lineTeam}/users/${people.account(last).userid}`);
    const asked = { name: stationName, teams: [lineTeam], settings: { idle_seconds: stationIdle } };
    const made = await this.#call('POST', '/stations', { ...asked, current_password: password });
    const { stationid, enrolment_code } = made.body as { stationid: number; enrolment_code: string };
    this.#stationid = stationid;
    for (let person = 0; person < people.count; person += 1) {
      await this.#newBadge(person);
      await this.#newPin(person);
    }
    await this.#desk.enrol(enrolment_code);
  }

  async perform({ what, person: number, picks, id }: Extract<Step, { do: 'office' }>): Promise<void> {
    if (!this.#serverFaults.acceptsChanges) return;
    const { record, people } = this.#context;
    const person = number % people.count;
    record.say(`office: ${what} ${people.name(person)}`);
    switch (what) {
      case 'new-badge':
        await this.#revokeBadge(person);
        return this.#newBadge(person);
      case 'lost-badge':
        return this.#revokeBadge(person);
      case 'new-pin':
        return this.#newPin(person);
      case 'shut-out':
        await this.#call('POST', `/stations/${this.#stationid}/revoke`, {});
        return;
      case 'enrol':
        return this.enrol();
      case 'accept':
      case 'refuse':
        return this.#decide(person, what, (picks[0] ?? 0) % 2 === 0);
      case 'copied-token':
        return this.#copiedToken(id);
    }
  }

  /** The device enrols with a new code; only one that was shut out does. */
  async enrol(): Promise<void> {
    const body = { current_password: password };
    const { status, body: said } = await this.#call('POST', `/stations/${this.#stationid}/code`, body);
    if (status >= 300) return;
    await this.#desk.enrol((said as { enrolment_code: string }).enrolment_code);
  }

  /** Accepts everything that waits for a lead. Returns whether something did. */
  async acceptAll(): Promise<boolean> {
    const { people } = this.#context;
    const { body } = await this.#call('GET', `/stations/${this.#stationid}`);
    const { former } = body as { former: { userid: number; decision: string | null }[] };
    for (const { userid } of former) {
      const person = people.numberOf(userid);
      if (person !== null) await this.#decide(person, 'accept', false);
    }
    return former.length > 0;
  }

  async #decide(person: number, what: 'accept' | 'refuse', byLead: boolean): Promise<void> {
    const { people, ledger, clock } = this.#context;
    const { userid, name } = people.account(person);
    const by = byLead ? people.account(0) : people.administrator;
    const path = `/stations/${this.#stationid}/former_members/${userid}/${what}`;
    const { status } = await this.#client.call(by, 'POST', path, {});
    if (status < 300 && what === 'accept')
      ledger.accepted.push({ person: name, at: Math.floor(clock.now / 1000) });
  }

  async #newBadge(person: number): Promise<void> {
    const number = this.#keys.newNumber();
    const badges = [{ userid: this.#context.people.account(person).userid, number }];
    const { status, body } = await this.#call('POST', '/station_badges', {
      badges,
      current_password: password,
    });
    if (status >= 300) return;
    const [issued] = body as { station_badgeid: number }[];
    this.#keys.noteBadge(person, { number, id: must(issued, 'a badge').station_badgeid });
  }

  async #revokeBadge(person: number): Promise<void> {
    const { badge } = this.#keys.of(person);
    if (badge === null) return;
    const { status } = await this.#call('POST', `/station_badges/${badge.id}/revoke`, {});
    if (status < 300) this.#keys.noteBadge(person, null);
  }

  async #newPin(person: number): Promise<void> {
    const pin = this.#keys.newPin();
    const path = `/users/${this.#context.people.account(person).userid}/station_pin`;
    const { status } = await this.#call('PUT', path, { pin, current_password: password });
    if (status < 300) this.#keys.notePin(person, pin);
  }

  /**
   * Somebody calls with the token of the device, in nobody's name and in that of an administrator: FLEET-10 finds what that
   * has done.
   */
  async #copiedToken(id: number): Promise<void> {
    const token = this.#desk.member.connection.notes.token;
    if (token === null) return;
    const path = '/comments/guide/1';
    const { body } = await this.#call('GET', '/user');
    // An administrator never is of the station.
    const { accountid } = body as { accountid: string };
    const call = async (nth: number, headers: Record<string, string>): Promise<number> => {
      const text = { text: `Comment ${wordOf(id, nth)}` };
      return (await this.#client.attempt({ token }, 'POST', path, text, headers)).status;
    };
    const statuses = [await call(0, {}), await call(1, { 'x-recorded-for': accountid })];
    this.#context.record.say(`office: a copied token is answered ${statuses.join(', ')}`);
  }

  #call(method: string, path: string, body: object | null = null): Promise<Said> {
    return this.#client.call(this.#context.people.administrator, method, path, body);
  }
}
