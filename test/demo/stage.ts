import type { ServerProcess } from '#test/support/server-process.ts';

import { ApiClient } from './api-client.ts';
import type { OpenWindow } from './app-window.ts';
import { Device } from './device.ts';
import type { Report } from './report.ts';

/** What a scene is played with. */
export interface Stage {
  server: ServerProcess;
  report: Report;
  /** The folder for screenshots. */
  shots: string;
  open: OpenWindow;
}

/** The e-mail address and password of a demo person, by the first name. */
export function credentials({ server }: Stage, name: string): [string, string] {
  const entry = [...server.passwords].find(([email]) => email.startsWith(name.toLowerCase()));
  if (entry === undefined) throw new Error(`The first start printed no password for ${name}`);
  return entry;
}

/** A client of the API with the session of an administrator. */
export async function administratorClient(stage: Stage): Promise<ApiClient> {
  const api = new ApiClient(stage.server.url);
  await api.signIn(...credentials(stage, 'Mira'));
  return api;
}

/** Plays on new devices with these names. A failure leaves a screenshot of each. */
export async function onDevices<const Names extends readonly string[]>(
  { server, report, shots, open }: Stage,
  names: Names,
  act: (...devices: { [Name in keyof Names]: Device }) => Promise<void>,
): Promise<void>;
export async function onDevices(
  { server, report, shots, open }: Stage,
  names: readonly string[],
  act: (...devices: Device[]) => Promise<void>,
): Promise<void> {
  const devices: Device[] = [];
  try {
    for (const name of names) devices.push(await Device.unpack(name, server.url, shots, open));
    await act(...devices);
    const troubles = devices.flatMap((device) => device.troubles);
    report.promise('No page of the app reported an error', troubles.length === 0, troubles);
  } catch (error) {
    for (const device of devices)
      await device.shot(`broken-${device.name.toLowerCase()}`).catch(() => undefined);
    throw error;
  } finally {
    for (const device of devices) await device.put();
  }
}
