import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

import { isRead, type Endpoint } from '#shared/api/endpoint.ts';
import { Problem, type ProblemCode } from '#shared/api/problem.ts';
import { recordedHeaders } from '#shared/rules/stations.ts';
import { recordingViewer } from '#server/core/stations.ts';
import { noteRefusal } from '#server/core/station-refusals.ts';
import type { Recording, Viewer } from '#server/core/viewer.ts';

import type { Services } from '../core/services.ts';
import { viewerOfRequest } from './request-viewer.ts';

/**
 * The viewer of a call of the API. A station makes some calls in the name of a person, whom it names in headers.
 *
 * - STATION-4 Only the session of a station's device names a person (`X-Recorded-For`: the `accountid`), and only in
 *   calls that are marked `recorded`. Everybody else, and every other write, is refused with 422. Reads ignore the
 *   header: a station reads by its own rights.
 * - STATION-5 A station makes the calls that are marked `recorded` only in the name of a person (422
 *   `station-needs-person`), so that no work belongs to nobody.
 * @throws Problem 401, 403, 422
 */
export async function callerOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  services: Services,
): Promise<Viewer> {
  const viewer = await viewerOfRequest(request, services);
  if (isRead(endpoint)) return viewer;
  const named = request.headers[recordedHeaders.for.toLowerCase()];
  const isStation = viewer.station !== undefined;
  if (named === undefined) {
    if (isStation && endpoint.recorded === true)
      throw refusal('station-needs-person', 'A station records in the name of a person. Sign in first');
    return viewer;
  }
  // Whoever has no token gets 401 from endpoints that need one.
  if (viewer.userid === 0 && endpoint.access !== 'public') return viewer;
  if (!isStation)
    throw refusal('not-a-station', 'Only the device of a station records in the name of others');
  if (endpoint.recorded !== true)
    throw refusal('not-recordable', 'This needs the password of the person, in a session of their own');
  const recording = readRecording(request, services);
  try {
    return await recordingViewer(
      services.storage.reader,
      viewer,
      recording,
      Math.floor(services.now() / 1000),
    );
  } catch (error) {
    if (error instanceof Problem)
      await noteRefusal(services, viewer, recording, { refusal: error, address: request.ip });
    throw error;
  }
}

const account = z.uuid().toLowerCase();
const time = z.iso.datetime({ offset: true });

/** The person and time that the headers name. A time in the future is the present. */
function readRecording({ headers }: FastifyRequest, { now }: Services): Recording {
  const named = account.safeParse(headers[recordedHeaders.for.toLowerCase()]);
  if (!named.success) throw refusal(undefined, 'Name the accountid of a person');
  const given = headers[recordedHeaders.at.toLowerCase()];
  const at = time.optional().safeParse(given);
  if (!at.success)
    throw refusal(undefined, 'Send the time in ISO 8601, such as 2026-08-01T09:30:00Z', recordedHeaders.at);
  const recordedMs = at.data === undefined ? now() : Math.min(Date.parse(at.data), now());
  return { accountid: named.data, recordedMs };
}

function refusal(
  code: ProblemCode | undefined,
  message: string,
  field: string = recordedHeaders.for,
): Problem {
  return new Problem('invalid', message, {
    ...(code === undefined ? {} : { code }),
    errors: [{ field, message }],
  });
}
