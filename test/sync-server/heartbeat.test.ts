import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Heartbeat } from '#server/sync/heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each stream beats once in an interval, however streams come and go', () => {
  const beat = new Heartbeat(20_000);
  const counts = new Map<number, number>();
  const stops = new Map<number, () => void>();
  let next = 0;
  const add = (): void => {
    const id = (next += 1);
    counts.set(id, 0);
    stops.set(
      id,
      beat.add(() => void counts.set(id, (counts.get(id) ?? 0) + 1)),
    );
  };
  for (let round = 0; round < 50; round += 1) {
    for (let n = 0; n < round % 7; n += 1) add();
    for (const id of [...stops.keys()].filter((one) => (one * 7 + round) % 3 === 0)) {
      stops.get(id)?.();
      stops.get(id)?.();
      stops.delete(id);
    }
    vi.advanceTimersByTime(777);
    const before = new Map(counts);
    vi.advanceTimersByTime(20_000);
    for (const id of stops.keys()) expect((counts.get(id) ?? 0) - (before.get(id) ?? 0)).toBe(1);
  }
  for (const stop of stops.values()) stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a beat may end its own stream and others', () => {
  const beat = new Heartbeat(20_000);
  const stops: (() => void)[] = [];
  for (let n = 0; n < 60; n += 1) stops.push(beat.add(() => stops.forEach((stop) => stop())));
  vi.advanceTimersByTime(40_000);
  expect(vi.getTimerCount()).toBe(0);
});
