import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Live } from '#desktop/engine/engine.ts';
import { LiveCell } from '#desktop/renderer/live-cell.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A view of which the test decides when it has a value. */
function openCell() {
  let emit: (value: number) => void = () => undefined;
  const ended = vi.fn<() => void>();
  const live: Live<number> = {
    subscribe(next) {
      emit = next;
      return ended;
    },
  };
  const forgotten = vi.fn<() => void>();
  return { cell: new LiveCell(live, forgotten), emit: (value: number) => emit(value), ended, forgotten };
}

test('a reader that subscribed before the first value gets every value, however late', () => {
  const { cell, emit, ended } = openCell();
  const reader = vi.fn<() => void>();
  cell.subscribe(reader);
  emit(1);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
  emit(2);
  expect(cell.read()).toEqual({ status: 'ready', value: 2 });
  expect(reader).toHaveBeenCalledTimes(2);
});

test('a reader that subscribed after the first value gets every value', () => {
  const { cell, emit, ended } = openCell();
  emit(1);
  vi.advanceTimersByTime(4000);
  cell.subscribe(() => undefined);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
});

test('a reader that left before the first value does not end the view of a later one', () => {
  const { cell, emit, ended } = openCell();
  cell.subscribe(() => undefined)();
  emit(1);
  cell.subscribe(() => undefined);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
});

test('a view ends 5 s after its last reader, and without any reader 5 s after its first value', () => {
  const unread = openCell();
  unread.emit(1);
  const read = openCell();
  const leave = read.cell.subscribe(() => undefined);
  read.emit(1);
  leave();
  vi.advanceTimersByTime(4999);
  expect(unread.ended).not.toHaveBeenCalled();
  expect(read.ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  for (const { ended, forgotten } of [unread, read]) {
    expect(ended).toHaveBeenCalledOnce();
    expect(forgotten).toHaveBeenCalledOnce();
  }
});

test('a view that renders read while another one has no value yet does not end', () => {
  const { cell, emit, ended } = openCell();
  emit(1);
  for (let second = 0; second < 30; second += 1) {
    vi.advanceTimersByTime(1000);
    cell.keep();
  }
  expect(ended).not.toHaveBeenCalled();
  cell.subscribe(() => undefined);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
});

test('a reader that subscribes after the end sees that there is no value, so that it opens the view again', () => {
  const { cell, emit } = openCell();
  emit(1);
  vi.advanceTimersByTime(5000);
  cell.subscribe(() => undefined);
  expect(cell.read()).toEqual({ status: 'waiting' });
});
