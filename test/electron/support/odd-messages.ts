/**
 * Sends `count` odd messages through the preload script's function, eight at a time, and returns the kind of each
 * answer: `ok`, a kind of the table, `uncloneable` (never sent), `thrown`, or `none in time`. Runs in the page, so it uses nothing from
 * outside.
 */
export async function sendOddMessages({
  seed,
  count,
  names,
  outside,
}: {
  seed: number;
  count: number;
  names: string[];
  /** A file in a folder that the app may write to, but must not. */
  outside: string;
}): Promise<string[]> {
  let state = seed;
  /** Mulberry32. */
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const cyclic = (): unknown => {
    const made: Record<string, unknown> = { a: [1] };
    made['self'] = made;
    return made;
  };
  const deep = (): unknown => {
    let made: unknown = 1;
    for (let depth = below(300); depth > 0; depth -= 1) made = random() < 0.5 ? [made] : { a: made };
    return made;
  };
  const texts = [
    '',
    '.',
    '..',
    '../../escaped',
    '..\\escaped',
    '/etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'a',
    'person',
    'segment-00000001',
    'ballast',
    'device-key',
    'con',
    'a\u0000b',
    '\u202e',
    '\ud800',
    'x'.repeat(80),
    'http://127.0.0.1:1/',
    'http://[::1]:1/x',
    'bytes=0-',
    'file:///etc/passwd',
  ];
  const paths = ['../escaped', '../../escaped', '..', outside];
  const odd = (): unknown =>
    pick<() => unknown>([
      () => pick(texts),
      () => 'y'.repeat(below(200_000)),
      () => below(20),
      () => pick([-1, 0.5, NaN, Infinity, -0, 2 ** 53, 1e308]),
      () => pick([null, undefined, true, false]),
      () => new Uint8Array(below(2000)),
      () => pick([new Float64Array(3), new ArrayBuffer(9), new DataView(new ArrayBuffer(3)), 10n]),
      () => pick([new Map([[1, 2]]), new Set([1]), new Date(NaN), /x/g, new Error('x')]),
      () => JSON.parse('{"__proto__":{"ok":true},"constructor":1}') as unknown,
      () => Array.from({ length: below(5) }, odd),
      () => Object.fromEntries(Array.from({ length: below(4) }, () => [pick(texts), odd()])),
      () => ({
        title: pick(texts),
        suggestedName: pick(texts),
        filters: [],
        several: true,
        bytes: new Uint8Array(3),
      }),
      () => ({ protection: pick(['pin', 'file', 'system', '__proto__']), pin: pick(['481516', '1', '']) }),
      () => ({ range: pick(['bytes=0-', null]), ifRange: pick([null, 'x']) }),
      cyclic,
      deep,
      () => () => 1,
      () => Symbol('x'),
    ])();
  /** Arguments near those of the calls of journals, which reach the disk. */
  const near = (): unknown[] => [
    pick<unknown>([below(12), pick(texts)]),
    ...[pick(texts), below(50), new Uint8Array(below(100))].slice(0, below(4)),
  ];
  // They wait for the system's browser, an opened file, or what happens to the window: up to an hour.
  const waiting = new Set(['signInWait', 'openedFiles', 'notice', 'updateState']);
  const callable = names.filter((name) => !waiting.has(name));
  // Pages that were taken over are not bound by its types.
  const bridge: { call(name: unknown, args: unknown): Promise<unknown> } | undefined = window.benchbook;
  const late = (): Promise<null> =>
    new Promise((resolve) => {
      setTimeout(() => resolve(null), 30_000);
    });
  const send = async (): Promise<string> => {
    const name = random() < 0.85 ? pick(callable) : pick<unknown>([...texts, 1, null, {}, ['appInfo']]);
    const args = pick<() => unknown>([
      near,
      near,
      () => [pick(paths)],
      () => Array.from({ length: below(5) }, odd),
      odd,
    ])();
    try {
      const answer = await Promise.race([bridge?.call(name, args), late()]);
      if (answer === null) return `none in time from ${JSON.stringify(name)}`;
      const { ok, kind } = answer as { ok: boolean; kind?: string };
      return ok ? 'ok' : String(kind);
    } catch (error) {
      const text = String(error);
      // The function of the preload script takes only what can be cloned.
      return /could not be cloned|not extensible|cloned|depth|Unexpected|conversion/i.test(text)
        ? 'uncloneable'
        : `thrown: ${text}`;
    }
  };
  const answers: string[] = [];
  for (let at = 0; at < count; at += 8) answers.push(...(await Promise.all(Array.from({ length: 8 }, send))));
  return answers;
}
