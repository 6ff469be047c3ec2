import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { nameOf, databaseName } from '#desktop/engine/storage/database.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk, type Disk } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';
import { openWholeDevice, type WholeDevice } from '../support/whole-device.ts';

export const oldAddress = 'http://bench.test';
export const newAddress = 'https://guides.test';

/** Responds instead of a server. */
type Answering = (path: string, init: RequestInit | undefined) => Promise<Response>;

/** A request sent by the device. */
export interface Left {
  origin: string;
  method: string;
  path: string;
  token: string | null;
  body: string;
}

/** The servers behind addresses, from the device's point of view. */
export class Network {
  readonly left: Left[] = [];
  readonly #places = new Map<string, string | Answering>();

  /** `place`: a URL, or a function that responds; null: nothing responds. */
  put(address: string, place: string | Answering | null): void {
    if (place === null) this.#places.delete(address);
    else this.#places.set(address, place);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const path = `${url.pathname}${url.search}`;
    const token = new Headers(init?.headers).get('Authorization');
    const body = typeof init?.body === 'string' ? init.body : '';
    const place = this.#places.get(url.origin);
    if (place === undefined) throw new TypeError('fetch failed');
    this.left.push({ origin: url.origin, method: init?.method ?? 'GET', path, token, body });
    return typeof place === 'string' ? fetch(`${place}${path}`, init) : place(path, init);
  };

  /** Tokens that were sent to an address. */
  tokensAt(address: string): Set<string> {
    return new Set(
      this.left.flatMap(({ origin, token }) => (origin === address && token !== null ? [token] : [])),
    );
  }

  /** Whether a text was sent to an address. */
  hasHeard(address: string, text: string): boolean {
    return this.left.some(({ origin, body }) => origin === address && body.includes(text));
  }
}

/** A server with a guide, and Ana's device, which uses the old address. */
export interface Workshop extends AsyncDisposable {
  server: TestServer;
  network: Network;
  disk: Disk;
  device: WholeDevice;
  ana: TestPerson;
  guideid: string;
  /** Closes the app and opens it again; `meanwhile` may change the disk in between. */
  restart(meanwhile?: () => Promise<void> | void): Promise<void>;
  /** The comments on the guide on a server, by default this one. */
  comments(server?: TestServer): Promise<string[]>;
}

/** `before`: the device is set up while the server is a version without identities. */
export async function openWorkshop({
  before = false,
  ...options
}: { before?: boolean; origins?: string[]; dataDir?: string } = {}): Promise<Workshop> {
  const server = await startServer(options);
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const guide = await makeGuide(ana);
  const guideid = String(guide.guideid);
  const network = new Network();
  const disk = newDisk();
  network.put(oldAddress, before ? asBefore(server.url) : server.url);
  const workshop: Workshop = {
    server,
    network,
    disk,
    device: await openWholeDevice(network.fetch, disk),
    ana,
    guideid,
    async restart(meanwhile) {
      await workshop.device[Symbol.asyncDispose]();
      await meanwhile?.();
      workshop.device = await openWholeDevice(network.fetch, disk);
    },
    async comments(at = server) {
      const response = await fetch(`${at.url}/api/2.0/comments/guide/${guideid}`);
      const found = (await response.json()) as { text_raw: string }[];
      return found.map(({ text_raw }) => text_raw).toSorted();
    },
    async [Symbol.asyncDispose]() {
      await workshop.device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  await signIn(workshop, oldAddress);
  await workshop.device.inSync();
  return workshop;
}

export function signIn(
  { device }: Pick<Workshop, 'device'>,
  address: string,
  name = 'Ana',
  apart = false,
): Promise<void> {
  return device.actions.signIn(address, `${name.toLowerCase()}@example.com`, 'a long password', apart);
}

/** Leaves two comments, a favourite and a draft offline. Returns the expected count. */
export async function leaveWork(workshop: Workshop): Promise<number> {
  const { device, network, guideid } = workshop;
  network.put(oldAddress, null);
  await device.actions.comment('guide', guideid, 'Mind the belt');
  await device.actions.comment('guide', guideid, 'And the switch');
  await device.actions.favorite(guideid, true);
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Another title' });
  await device.shows((draft) => draft?.saved === 'device', 'draft', guideid);
  return 4;
}

/** A server from before identities: the same responses without identity. */
export function asBefore(url: string): Answering {
  return async (path, init) => {
    if (path.startsWith('/sync/1/identity')) {
      const message = 'Endpoint not found';
      return Response.json({ error: true, message, msg: message }, { status: 404 });
    }
    const response = await fetch(`${url}${path}`, init);
    if (!path.startsWith('/api/2.0/user')) return response;
    if (response.status === 204) return response;
    const { accountid: _, serverid: __, ...body } = (await response.json()) as Record<string, unknown>;
    return Response.json(body, { status: response.status });
  };
}

/** Changes the disk to the format of an earlier version: no registry of homes, names made from address and number. */
export async function forgetHomes(disk: Disk, userid: number): Promise<void> {
  const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch));
  const { meta } = await journal.entries();
  const { home, ...session } = meta.get('session') as { home: string; server: string };
  const name = await databaseName(session.server, userid);
  if (home !== name) throw new Error('The home was not made by a server of before');
  await journal.append([
    { op: 'put', collection: 'meta', id: 'session', value: session },
    { op: 'delete', collection: 'meta', id: 'homes' },
  ]);
  await journal.close();
  const { secrets } = disk;
  secrets.delete('homes');
  const copy = JSON.parse(must(secrets.get('session'), 'the copy')) as object;
  secrets.set('session', JSON.stringify({ ...copy, session }));
  const token = `token-${await nameOf(`${home}\n${session.server}`)}`;
  secrets.set(`token-${name}`, must(secrets.get(token), 'the token'));
  secrets.delete(token);
}

/** The texts that `leaveWork` leaves on the device. */
export const work = ['And the switch', 'Mind the belt'];

/** Waiting work elsewhere, without the internal name of its home. */
export async function elsewhere({ device }: Workshop): Promise<object[]> {
  const { elsewhere: found } = await device.look('session');
  return found.map(({ server, username, changes }) => ({ server, username, changes }));
}

/** Signs in and returns the reason of the refusal. */
export async function refusal(signingIn: Promise<void>): Promise<UnprovedServer> {
  const error = await signingIn.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof UnprovedServer) return error;
  throw new Error('Signing in was not refused', { cause: error });
}
