import { must } from '#shared/must.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { newDisk, type Disk } from './device.ts';
import { startRestorableServer, type RestorableServer } from './restorable-server.ts';
import { startWholeDevice, type WholeDevice } from './whole-device.ts';

export interface Bench extends AsyncDisposable {
  server: RestorableServer;
  device: WholeDevice;
  disk: Disk;
  guideid: string;
  /** Whether a request of the device reaches the server. */
  passes: (path: string) => boolean;
  /** Closes the app and starts it again. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
}

/** A server with one guide, and Ana's device on it. */
export async function bench(): Promise<Bench> {
  const server = await startRestorableServer();
  await server.now.category('Bench Grinder');
  const ana = await server.now.person('Ana');
  await server.now.person('Ben', ['User', 'Author', 'Moderator']);
  const guide = await makeGuide(ana);
  const { guideid } = guide;
  await makeForm(ana, guide);
  const made: { device?: WholeDevice } = {};
  const disk = newDisk();
  const start = async (): Promise<WholeDevice> =>
    (made.device = await startWholeDevice((path) => (world.passes(path) ? server.url : null), disk));
  const world: Bench = {
    server,
    disk,
    get device() {
      return must(made.device, 'the device');
    },
    guideid: String(guideid),
    passes: () => true,
    async restart(meanwhile) {
      await made.device?.[Symbol.asyncDispose]();
      await meanwhile();
      await start();
    },
    async [Symbol.asyncDispose]() {
      await made.device?.[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  const device = await start();
  await device.signIn('Ana');
  await device.inSync();
  return world;
}

/** A token from signing in with the password of the test people. */
export async function tokenOf(server: RestorableServer, email: string): Promise<string> {
  const answer = await call(server, null, 'POST', '/user/token', { email, password: 'a long password' });
  return String(answer['authToken']);
}

/** One call of the API. */
export async function call(
  server: RestorableServer,
  token: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `api ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

export async function setSummary({ actions }: WholeDevice, guideid: string, value: string): Promise<void> {
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'summary', value });
  await actions.saveDraft(guideid);
}

/** Changes a guide through the API, without a device. */
export async function changeAs(
  server: RestorableServer,
  email: string,
  guideid: string,
  change: object,
): Promise<void> {
  const token = await tokenOf(server, email);
  const { revisionid } = await call(server, token, 'GET', `/guides/${guideid}`);
  await call(server, token, 'PATCH', `/guides/${guideid}?revisionid=${String(revisionid)}`, change);
}
