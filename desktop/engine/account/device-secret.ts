import { readAnswer, requestOf } from '#shared/api/client.ts';
import { rootedPath } from '#shared/api/endpoint.ts';
import { Problem, type ProblemKind } from '#shared/api/problem.ts';
import { deviceSecrets } from '#shared/api/tokens.ts';

import { fromBase64 } from '../platform/base64.ts';
import { recordIn, withOwnRefusal } from '../sync/own-answer.ts';
import type { Core } from './core.ts';

/**
 * Refusals that asking again does not change: a server without such secrets, a session that did not begin with a
 * sign-in in the last minutes, and an account with too many devices.
 */
const lasting: readonly ProblemKind[] = ['not-found', 'forbidden', 'invalid'];

/**
 * The secret that the server keeps for this device and the account of the session, 32 bytes; null if the server is too
 * old to have one, or refuses it. `request`: sends with the token of that session. `device`: the UUID of this device.
 * - DEVICE-SECRET-7 A device that gets no secret goes on without it. Without the network it cannot know, so that is an
 *   error.
 *
 * @throws Problem for any other refusal, such as too many requests or an ended session
 * @throws Unreachable, ForeignAnswer
 */
export async function fetchDeviceSecret(
  request: Core['request'],
  device: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const endpoint = deviceSecrets.obtain;
  const path = rootedPath(endpoint);
  const { url, init } = requestOf(endpoint, { body: { device } }, { baseUrl: '' }, {});
  // Without this, a page of the network in between would count as a refusal.
  const response = await withOwnRefusal(await request(url, init), path);
  if (response.ok)
    return new Uint8Array(fromBase64((await recordIn(response, endpoint.result, path)).secret));
  try {
    await readAnswer(response);
  } catch (error) {
    if (!(error instanceof Problem) || !lasting.includes(error.kind)) throw error;
  }
  return null;
}
