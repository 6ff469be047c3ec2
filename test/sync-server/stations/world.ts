import type { StationDetail, StationSelf } from '#shared/model/station.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { jsonOf } from '#test/support/answer.ts';
import { clientOf, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { makeGuide } from '#test/support/workshop.ts';

export const password = 'a long password';
export const minute = 60_000;
export const day = 24 * 3600 * 1000;

/** A person with the permanent id of the account. */
export interface Known extends TestPerson {
  accountid: string;
}

/** The device of a station. */
export interface Device extends TestPerson {
  stationid: number;
  secret: string;
  self: StationSelf;
}

/** How a station calls in the name of a person. `at`: ISO 8601. */
export function inNameOf(person: { accountid: string }, at?: string): Record<string, string> {
  return { 'X-Recorded-For': person.accountid, ...(at === undefined ? {} : { 'X-Recorded-At': at }) };
}

/** A server with an administrator, a lead, a team of two workers, an outsider, and a guide. */
export class StationWorld implements AsyncDisposable {
  readonly clock = { now: Date.parse('2026-08-03T06:00:00Z') };
  readonly logged: string[] = [];
  server!: TestServer;
  mira!: Known;
  lea!: Known;
  ana!: Known;
  ben!: Known;
  /** In no team. */
  otto!: Known;
  team = 0;
  guide!: Guide;

  static async start(): Promise<StationWorld> {
    const world = new StationWorld();
    world.server = await startServer({ now: () => world.clock.now, log: memoryLog(world.logged, 'info') });
    world.mira = await world.person('Mira', ['User', 'Admin', 'Author']);
    world.lea = await world.person('Lea');
    world.ana = await world.person('Ana', ['User']);
    world.ben = await world.person('Ben', ['User']);
    world.otto = await world.person('Otto', ['User']);
    const team = await world.mira.call('POST', '/teams', { name: 'Press', owner: world.lea.userid });
    world.team = (team.body as { teamid: number }).teamid;
    for (const { userid } of [world.ana, world.ben])
      await world.mira.call('PUT', `/teams/${world.team}/users/${userid}`, {});
    await world.server.category('Bench Grinder');
    world.guide = await makeGuide(world.mira);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  async person(name: string, privileges: string[] = ['User', 'Author']): Promise<Known> {
    const person = await this.server.person(name, privileges);
    const { body } = await person.call('GET', '/user');
    return { ...person, accountid: (body as { accountid: string }).accountid };
  }

  /** Makes a station of the team, without a device. */
  async station(fields: object = {}): Promise<StationDetail & { enrolment_code: string; exit_code: string }> {
    const asked = { name: 'Press 2', place: 'Hall 3', teams: [this.team], ...fields };
    const { body } = await this.mira.call('POST', '/stations', { ...asked, current_password: password });
    return body;
  }

  /** A device without a session sends a code. */
  async enrol(code: string, fields: object = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.server.url}/api/2.0/stations/enroll`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, ...fields }),
    });
    return { status: response.status, body: await jsonOf(response) };
  }

  /** The device that enrols with a code. */
  async device(code: string): Promise<Device> {
    const { body } = await this.enrol(code, { device: 'Panel', app_version: '0.1.0' });
    const { authToken, account, station, secret } = body as {
      authToken: string;
      account: { userid: number };
      station: StationSelf;
      secret: string;
    };
    return {
      ...this.ana,
      userid: account.userid,
      token: authToken,
      call: clientOf(this.server.url, authToken),
      stationid: station.stationid,
      secret,
      self: station,
    };
  }

  /** A station with its device. */
  async enrolled(fields: object = {}): Promise<Device> {
    return this.device((await this.station(fields)).enrolment_code);
  }

  /** The fields of an order of the guide. */
  order(): { guideid: number; workorderid: string } {
    return { guideid: this.guide.guideid, workorderid: 'WO-1' };
  }

  /** Starts an order at a station, in the name of somebody. `at`: ISO 8601. */
  start(
    device: Device,
    who: { accountid: string },
    at?: string,
  ): Promise<{ status: number; body: WorkLogEntry }> {
    return device.call('POST', '/work_log', this.order(), inNameOf(who, at));
  }

  read(stationid: number, reader = this.mira): Promise<{ status: number; body: StationDetail }> {
    return reader.call('GET', `/stations/${stationid}`);
  }
}
