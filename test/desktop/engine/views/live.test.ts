import fc from 'fast-check';
import { Subject, of, throwError } from 'rxjs';
import { expect, test } from 'vitest';

import { share, toLive } from '#desktop/engine/features/live.ts';

test('unchanged rows keep their identity when others change, move or go', () => {
  const before = [
    { guideid: '1', title: 'One', steps: [{ stepid: 'a' }] },
    { guideid: '2', title: 'Two', steps: [] },
  ];
  const after = share(before, [
    { guideid: '2', title: 'Two', steps: [] },
    { guideid: '3', title: 'Three', steps: [] },
    { guideid: '1', title: 'Uno', steps: [{ stepid: 'a' }] },
  ]);
  expect(after[0]).toBe(before[1]);
  expect(after[2]).not.toBe(before[0]);
  expect(after[2]?.steps).toBe(before[0]?.steps);
});

test('a shared value equals the next one, and is the previous one only if they are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
      const copy: unknown = structuredClone(next);
      expect(share(previous, next)).toEqual(copy);
      expect(share(copy, structuredClone(copy))).toBe(copy);
    }),
  );
});

test('a live value is frozen and repeats nothing', () => {
  const source = new Subject<{ list: number[] }>();
  const seen: { list: number[] }[] = [];
  const stop = toLive(source).subscribe(
    (value) => seen.push(value),
    () => undefined,
  );
  source.next({ list: [1] });
  source.next({ list: [1] });
  source.next({ list: [1, 2] });
  stop();
  source.next({ list: [] });
  expect(seen).toEqual([{ list: [1] }, { list: [1, 2] }]);
  expect(() => seen[0]?.list.push(9)).toThrow(TypeError);
});

test('a failure reaches the subscriber as an error', () => {
  const errors: Error[] = [];
  toLive(throwError(() => new Error('broken'))).subscribe(
    () => undefined,
    (error) => errors.push(error),
  );
  expect(errors.map(({ message }) => message)).toEqual(['broken']);
  expect(
    toLive(of(1)).subscribe(
      () => undefined,
      () => undefined,
    ),
  ).toBeTypeOf('function');
});
