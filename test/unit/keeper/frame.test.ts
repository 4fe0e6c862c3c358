import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, FrameDecoder, MalformedFrame, maxFields, maxFrameBytes } from '../../../src/keeper/frame.ts';

const anyFields = fc.array(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), { maxLength: 12 });
const bytesOf = (field: string | Uint8Array): Buffer => Buffer.from(field as string);
const u32 = (...numbers: number[]): Buffer => {
  const buffer = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => buffer.writeUInt32BE(number, index * 4));
  return buffer;
};

describe('frames', () => {
  test('a frame is its length, then every field after its own, all big-endian', () => {
    const frame = encodeFrame(['work', 'é', new Uint8Array([0, 255])]);
    assert.equal(frame.toString('hex'), '00000014' + '00000004776f726b' + '00000002c3a9' + '0000000200ff');
  });

  test('whatever bytes are sent arrive as they were, in whatever pieces the stream comes', () => {
    fc.assert(
      fc.property(fc.array(anyFields, { maxLength: 5 }), fc.array(fc.nat(40)), (frames, cuts) => {
        const stream = Buffer.concat(frames.map(encodeFrame));
        const decoder = new FrameDecoder();
        const received: Buffer[][] = [];
        let at = 0;
        for (const size of [...cuts, stream.length]) {
          received.push(...decoder.push(stream.subarray(at, at + size)));
          at = Math.min(stream.length, at + size);
        }
        assert.equal(decoder.pending, 0);
        assert.deepEqual(
          received.map((fields) => fields.map((field) => field.toString('hex'))),
          frames.map((fields) => fields.map((field) => bytesOf(field).toString('hex'))),
        );
      }),
    );
  });

  test('any bytes at all give frames, wait for more, or are malformed; nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          new FrameDecoder().push(Buffer.from(bytes));
        } catch (error) {
          assert.ok(error instanceof MalformedFrame);
        }
      }),
    );
  });

  test('an empty frame has no fields', () => {
    assert.deepEqual(new FrameDecoder().push(u32(0)), [[]]);
  });

  test('a field that reaches past its frame, half a length, and a frame over 16 MiB are malformed', () => {
    for (const bytes of [
      Buffer.concat([u32(6, 3), Buffer.from('ab')]),
      Buffer.concat([u32(2), Buffer.from('ab')]),
      u32(maxFrameBytes + 1),
    ]) {
      assert.throws(() => new FrameDecoder().push(bytes), MalformedFrame);
    }
  });

  test('exactly 200,000 fields pass, one more is refused by both sides', () => {
    const most = new Array<string>(maxFields).fill('');
    assert.equal(new FrameDecoder().push(encodeFrame(most))[0]?.length, maxFields);
    assert.throws(() => encodeFrame([...most, '']), RangeError);
    const body = Buffer.alloc(4 * (maxFields + 1));
    assert.throws(() => new FrameDecoder().push(Buffer.concat([u32(body.length), body])), MalformedFrame);
  });

  test('exactly 16 MiB pass, one byte more is refused', () => {
    const most = Buffer.alloc(maxFrameBytes - 4, 7);
    const [fields] = new FrameDecoder().push(encodeFrame([most]));
    assert.ok(fields?.[0]?.equals(most));
    assert.throws(() => encodeFrame([Buffer.alloc(maxFrameBytes - 3)]), RangeError);
  });
});
