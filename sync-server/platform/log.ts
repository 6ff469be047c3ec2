import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

/** Names of credentials: fields with these names are redacted, up to two objects deep. */
const secretNames = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'token',
  'sign_on_token',
  'authToken',
  'device_key',
  'deviceKey',
  'secret',
  'apiKey',
  'api_key',
];
const redacted = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Placeholder for redacted values in the log. */
export const hidden = '[hidden]';

/** The log of the server: JSON lines. `destination`: standard output, unless another is given. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: redacted, censor: hidden },
    serializers: { err: errorForLog, req: requestForLog },
  };
  return pino(options, destination ?? pino.destination());
}

/** Libraries attach to errors what they worked with: texts, recipients, headers. None of it is logged. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack, ...('code' in error ? { code: String(error.code) } : {}) };
}

/** Not the address: links carry tokens in it. */
function requestForLog({ method, routeOptions }: LoggedRequest): object {
  return { method, route: routeOptions?.url ?? 'none' };
}

/** What the framework hands over when it logs a request by itself. */
interface LoggedRequest {
  method?: string;
  routeOptions?: { url?: string };
}
