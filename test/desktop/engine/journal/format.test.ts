import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { concatBytes, crc32c } from '#desktop/engine/journal/bytes.ts';
import { encodeFrame, scanSegment } from '#desktop/engine/journal/format.ts';
import { must } from '#shared/must.ts';
import { runs } from '#test/support/long-run.ts';

const SEGMENT = 7;

function segmentOf(
  payloads: readonly Uint8Array[],
  segment = SEGMENT,
): { bytes: Uint8Array; starts: number[] } {
  const frames: Uint8Array[] = [];
  const starts: number[] = [];
  let end = 0;
  for (const payload of payloads) {
    starts.push(end);
    const frame = encodeFrame({ kind: 'batch', payload }, segment, end);
    frames.push(frame);
    end += frame.length;
  }
  return { bytes: concatBytes(frames), starts: [...starts, end] };
}

function payloadsIn(bytes: Uint8Array): number[][] {
  return scanSegment(bytes, SEGMENT).frames.map(({ payload }) => [...payload]);
}

const payloads = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 });

describe('the frames of a segment', () => {
  it('JOURNAL-6 uses the standard CRC-32C', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
  });

  it('JOURNAL-5 returns every payload in order', () => {
    fc.assert(
      fc.property(payloads, (given) => {
        expect(payloadsIn(segmentOf(given).bytes)).toEqual(given.map((payload) => [...payload]));
      }),
    );
  });

  it('JOURNAL-7 keeps every frame before a cut and reports the torn tail', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (given, seed) => {
        const { bytes, starts } = segmentOf(given);
        const cut = seed % bytes.length;
        const whole = starts.filter((start) => start > 0 && start <= cut).length;
        const scan = scanSegment(bytes.subarray(0, cut), SEGMENT);
        expect(scan.frames.map(({ payload }) => [...payload])).toEqual(
          given.slice(0, whole).map((payload) => [...payload]),
        );
        const end = must(starts[whole], 'the end of the last whole frame');
        expect(scan.end).toBe(end);
        expect(scan.damage).toEqual(end === cut ? [] : [{ kind: 'tail', from: end, to: cut }]);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('JOURNAL-7 loses exactly the frame in which a bit flips, and reports it', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), fc.nat(7), (given, seed, bit) => {
        const { bytes, starts } = segmentOf(given);
        const at = seed % bytes.length;
        bytes[at] = must(bytes[at], 'a byte') ^ (1 << bit);
        const hit = starts.findLastIndex((start) => start <= at);
        const scan = scanSegment(bytes, SEGMENT);
        expect(scan.frames.map(({ payload }) => [...payload])).toEqual(
          given.filter((_, index) => index !== hit).map((payload) => [...payload]),
        );
        expect(scan.damage).toEqual([
          { kind: hit === given.length - 1 ? 'tail' : 'middle', from: starts[hit], to: starts[hit + 1] },
        ]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('JOURNAL-6 reads only written frames when a whole region is overwritten', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 80 }), (given, seed, junk) => {
        const { bytes, starts } = segmentOf(given);
        const from = seed % bytes.length;
        const changed = junk.subarray(0, bytes.length - from);
        const before = bytes.slice();
        bytes.set(changed, from);
        const untouched = given.filter((_, index) => {
          const start = must(starts[index], 'a start');
          const end = must(starts[index + 1], 'an end');
          return bytes.subarray(start, end).every((byte, offset) => byte === before[start + offset]);
        });
        expect(payloadsIn(bytes)).toEqual(untouched.map((payload) => [...payload]));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('JOURNAL-6 ignores frames in a copy of a segment inside a payload', () => {
    const inner = segmentOf([new TextEncoder().encode('old')]).bytes;
    const { bytes } = segmentOf([inner, new Uint8Array([1])]);
    bytes[0] = 0;
    expect(payloadsIn(bytes)).toEqual([[1]]);
  });

  it('JOURNAL-6 ignores frames of another segment', () => {
    const { bytes } = segmentOf([new Uint8Array([1])], SEGMENT + 1);
    expect(scanSegment(bytes, SEGMENT)).toEqual({
      frames: [],
      damage: [{ kind: 'tail', from: 0, to: bytes.length }],
      end: 0,
      newer: false,
      clear: false,
      sealed: false,
    });
  });
});
