/** A refusal of the server. */
export function problem(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: true, message: 'No', msg: 'No' }, { status, headers });
}

/** The response of a server to a path that it does not have. */
export function endpointNotFound(): Response {
  const message = 'Endpoint not found';
  return Response.json({ error: true, message, msg: message }, { status: 404 });
}

/** The page of a captive portal or a proxy. */
export function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { 'content-type': 'text/html' } });
}

/** A status and headers; the body does not begin before the request is aborted. */
export function stalled(signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      signal?.addEventListener('abort', () => controller.error(new TypeError('aborted'))),
  });
  return new Response(body);
}

/** Long responses are sent in pieces, so that they can be cut anywhere. */
const linesPerChunk = 100;

/** A response of one JSON line for each value. `cut`: it breaks off before the last line. */
export function lines(values: readonly object[], cut: boolean): Response {
  const text = values.map((value) => `${JSON.stringify(value)}\n`);
  const end = cut ? Math.max(1, text.length - 1) : text.length;
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (next >= end) return cut ? controller.error(new TypeError('cut')) : controller.close();
      const chunk = text.slice(next, Math.min(end, next + linesPerChunk));
      controller.enqueue(encode(chunk.join('')));
      next += chunk.length;
    },
  });
  return new Response(body);
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
