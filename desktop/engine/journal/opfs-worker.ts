import { unreachable } from '#shared/must.ts';

import { type OpfsAnswer, type OpfsCall, opfsCall } from './opfs-calls.ts';
import { openOpfsFiles } from './opfs-files.ts';
import { type FlushedStore, JournalError, toJournalError } from './store.ts';

let opening: Promise<FlushedStore> | undefined;

addEventListener('message', (event) => void answer(opfsCall.parse(event.data)));

async function answer(call: OpfsCall): Promise<void> {
  const { id } = call;
  let reply: OpfsAnswer;
  try {
    reply = { id, result: await run(call) };
  } catch (thrown) {
    const { kind, message } = toJournalError(thrown);
    reply = { id, error: { kind, message } };
  }
  postMessage(reply, { transfer: 'result' in reply ? buffersOf(reply.result) : [] });
}

/** Buffers that are transferred to the page with a result. */
function buffersOf(result: unknown): ArrayBuffer[] {
  return result instanceof Uint8Array && result.buffer instanceof ArrayBuffer ? [result.buffer] : [];
}

async function run(call: OpfsCall): Promise<boolean | string[] | Uint8Array<ArrayBuffer> | undefined> {
  if (call.method === 'open') {
    opening = openOpfsFiles(...call.args);
    await opening;
    return undefined;
  }
  if (opening === undefined) throw new JournalError('closed', 'The store is not open');
  const store = await opening;
  switch (call.method) {
    case 'list':
      return store.list();
    case 'read':
      return (await store.read(...call.args)) as Uint8Array<ArrayBuffer> | undefined;
    case 'append':
      await store.append(...call.args);
      return undefined;
    case 'put':
      await store.put(...call.args);
      return undefined;
    case 'flush':
      await store.flush(...call.args);
      return undefined;
    case 'write':
      await store.write(...call.args);
      return undefined;
    case 'remove':
      await store.remove(...call.args);
      return undefined;
    case 'releaseBallast':
      return store.releaseBallast();
    case 'reserveBallast':
      return store.reserveBallast();
    case 'close':
      await store.close();
      return undefined;
    default:
      return unreachable(call);
  }
}
