import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { argon2Here } from '#desktop/engine/platform/argon2-here.ts';
import { type ProblemCode, problemFields } from '#shared/api/problem.ts';
import type { StationSelf } from '#shared/model/station.ts';
import { must } from '#shared/must.ts';
import { badgeNumber, verifierText, type VerifierKind } from '#shared/rules/stations.ts';
import { plainGuide } from '#test/support/guide-edits.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

import { type Disk, newDisk, platformOn, serverAddress } from './device.ts';
import { testEnvironment, type TestEnvironment } from './environment.ts';

const salt = '00112233445566778899aabbccddeeff';
/** Cheap hashes: their cost is not tested here. */
const cost = { memory: 8, passes: 1 };

/** People of the station in tests. Their PIN is their userid, four times. */
export const ana = { userid: 11, accountid: '00000000-0000-4000-8000-000000000011', username: 'Ana' };
export const ben = { userid: 12, accountid: '00000000-0000-4000-8000-000000000012', username: 'Ben' };
export const pinOf = ({ userid }: { userid: number }): string => String(userid).repeat(2);
/** Ends station mode. */
export const exitCode = '48021375';
export const badgeOf = ({ username }: { username: string }): string => `${username}-card`;

type Person = StationSelf['people'][number];

/** A server with one station, number 9, on top of the stand-in. It knows Mira as an administrator. */
export class StationServer {
  readonly records = new StandInServer();
  readonly reports: Record<string, unknown>[] = [];
  /** Bodies of enrolments. */
  readonly enrolments: Record<string, unknown>[] = [];
  isRevoked = false;
  readonly #secret = new Uint8Array(32).fill(7);
  self: StationSelf;

  constructor(settings: Partial<StationSelf['settings']> = {}) {
    this.records.put('guides', '7', plainGuide);
    this.records.accounts = new Map([ana, ben].map(({ accountid, userid }) => [accountid, userid]));
    this.self = {
      stationid: 9,
      accountid: '00000000-0000-4000-8000-000000000009',
      name: 'Assembly 3',
      place: 'Hall 2',
      teams: [],
      settings: {
        idle_seconds: 120,
        sign_in: ['badge', 'tile'],
        notice: '',
        categories: [],
        tags: [],
        ...settings,
      },
      verifiers: { salt, pin: cost, badge: cost },
      exit: this.#verifier('exit', '00000000-0000-4000-8000-000000000009', exitCode),
      people: [this.person(ana), this.person(ben)],
    };
  }

  /** A person with a badge and a PIN. */
  person(one: typeof ana, { pin = pinOf(one), badge = badgeOf(one) } = {}): Person {
    const badges = [this.#verifier('badge', one.accountid, badgeNumber(badge))];
    return { ...one, image: null, pin: this.#verifier('pin', one.accountid, pin), badges };
  }

  #verifier(kind: VerifierKind, accountid: string, text: string): string {
    const hash = argon2Here({ text, salt: hexToBytes(salt), ...cost });
    return bytesToHex(
      hmac(sha256, this.#secret, new TextEncoder().encode(verifierText(kind, accountid, hash))),
    );
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!this.records.isUp) throw new TypeError('fetch failed');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    const isStation = new Headers(init?.headers).get('Authorization')?.startsWith('api station') === true;
    if (isStation && this.isRevoked) return refusal(401, 'unauthorized', 'This station was revoked');
    switch (pathname) {
      case '/api/2.0/stations/enroll':
        return this.#enrol(body);
      case '/api/2.0/stations/self':
        return Response.json(this.self);
      case '/api/2.0/stations/self/report':
        this.reports.push(body);
        return new Response(null, { status: 204 });
      case '/api/2.0/user/token': {
        const response = await this.records.fetch(input, init);
        if (init?.method !== 'POST' || !String(body['email']).startsWith('mira')) return response;
        return Response.json(
          { ...Object(await response.json()), privileges: ['User', 'Admin'] },
          { status: 201 },
        );
      }
      default:
        return this.records.fetch(input, init);
    }
  };

  #enrol(body: Record<string, unknown>): Response {
    this.enrolments.push(body);
    if (body['code'] !== '7Q4XMR2KD9') return refusal(422, 'invalid', 'This code is wrong');
    this.isRevoked = false;
    const { stationid, name } = this.self;
    const account = {
      userid: stationid,
      username: name,
      unique_username: null,
      image: null,
      teams: [],
      reputation: 0,
      join_date: 1,
      location: null,
      latitude: null,
      longitude: null,
      certification_count: 0,
      badge_counts: { bronze: 0, silver: 0, gold: 0, total: 0 },
      summary: null,
      about_raw: false,
      about_rendered: false,
      privileges: ['User', 'Kiosk'],
    };
    const secret = Buffer.from(this.#secret).toString('base64');
    const authToken = `station ${this.enrolments.length}`;
    return Response.json({ authToken, account, station: this.self, secret }, { status: 201 });
  }
}

function refusal(status: number, code: ProblemCode, message: string): Response {
  return Response.json(problemFields(message, code), { status });
}

type Seen<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/** The device of a station, as screens use it. */
export interface StationDevice extends AsyncDisposable {
  actions: Actions;
  environment: TestEnvironment;
  /** Resolves when a view satisfies a condition; by default to its present value. */
  shows<V extends keyof Views>(
    isSo: (value: Seen<V>) => boolean,
    name: V,
    ...args: Parameters<Views[V]>
  ): Promise<Seen<V>>;
  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<Seen<V>>;
}

/** Starts the app on a disk. `speed`: how fast time runs. */
export async function startStation(
  server: { fetch: typeof fetch },
  disk: Disk = newDisk(),
  speed = 1,
): Promise<StationDevice> {
  const environment = testEnvironment(server.fetch, speed);
  const engine = await openEngine({
    ...platformOn(disk, environment),
    appVersion: '1.2.3',
  });
  const { actions, views } = engine;
  const shows: StationDevice['shows'] = (isSo, name, ...args) => {
    const view = views[name] as (...given: Parameters<Views[typeof name]>) => Live<Seen<typeof name>>;
    return new Promise((resolve, reject) => {
      let stop = (): void => undefined;
      stop = view(...args).subscribe((value) => {
        if (!isSo(value)) return;
        resolve(value);
        queueMicrotask(() => stop());
      }, reject);
    });
  };
  return {
    actions,
    environment,
    shows,
    look: (name, ...args) => shows(() => true, name, ...args),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

/** A device that has just enrolled as the station, and holds the guide. */
export async function enrolledStation(
  server: StationServer,
  disk: Disk = newDisk(),
  speed = 1,
): Promise<StationDevice> {
  const device = await startStation(server, disk, speed);
  await device.actions.enrolStation(serverAddress, '7q4xm-r2kd9');
  await device.shows((guide) => guide !== null, 'guide', '7');
  return device;
}

/** The calls that arrived, with the person in whose name they were sent. */
export function arrivedAt({ records }: StationServer): { path: string; for: string | undefined }[] {
  return records.batches.flat().map(({ path, recorded_for }) => ({ path, for: recorded_for }));
}

/** The only order of a station's view. */
export async function runningAt(device: StationDevice) {
  const station = must(await device.look('station'), 'the station');
  return station.running;
}
