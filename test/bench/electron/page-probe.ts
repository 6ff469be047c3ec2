import { setTimeout as sleep } from 'node:timers/promises';

/** How often a program is asked for its page, and a page for its content, ms. */
const pollMs = 20;

interface Reply {
  id: number;
  result?: { result?: { value?: unknown } };
}

/**
 * Asks the page of a program until it answers a number. Speaks the protocol of the debugger itself, because a browser
 * driver attaches to all processes of the program, which takes time and now and then waits for one that has ended.
 * `address`: of the debugger (`ws://…`). `question`: an expression; null means "not yet".
 */
export async function answerOfPage(address: string, question: string): Promise<number> {
  const socket = new WebSocket(await pageAddress(address));
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    for (let id = 1; ; id += 1) {
      const value = await evaluated(socket, id, question);
      if (typeof value === 'number') return value;
      await sleep(pollMs);
    }
  } finally {
    socket.close();
  }
}

async function pageAddress(address: string): Promise<string> {
  const list = `http://${new URL(address).host}/json/list`;
  for (;;) {
    const pages = (await (await fetch(list)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const page = pages.find(({ type }) => type === 'page');
    if (page !== undefined) return page.webSocketDebuggerUrl;
    await sleep(pollMs);
  }
}

function evaluated(socket: WebSocket, id: number, expression: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      socket.removeEventListener('message', hear);
      socket.removeEventListener('close', fail);
      end();
    };
    const hear = ({ data }: MessageEvent): void => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id === id) settle(() => resolve(reply.result?.result?.value));
    };
    const fail = (): void => settle(() => reject(new Error('The page has gone')));
    socket.addEventListener('message', hear);
    socket.addEventListener('close', fail);
    socket.send(
      JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression, returnByValue: true } }),
    );
  });
}
