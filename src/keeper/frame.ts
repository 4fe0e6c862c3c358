/**
 * Frames of the keeper protocol: a length (u32, big-endian), then fields of a length and that many bytes each.
 * A value is any bytes; those that come in are given as bytes, since not all are UTF-8.
 */

/** Of a frame, without its own length. */
export const maxFrameBytes = 16 * 1024 * 1024;
export const maxFields = 200_000;

export type Field = string | Uint8Array;

/**
 * One frame in one buffer: sizes are counted first, then every field is written to its place, so that an environment
 * of many kilobytes is copied once. Throws a RangeError when it would be over the protocol's bounds.
 */
export function encodeFrame(fields: readonly Field[]): Buffer {
  let size = 0;
  for (const field of fields) size += 4 + byteLength(field);
  if (size > maxFrameBytes) throw new RangeError(`${size} bytes; at most ${maxFrameBytes} are allowed`);
  if (fields.length > maxFields) throw new RangeError(`${fields.length} fields; at most ${maxFields} are allowed`);
  const frame = Buffer.allocUnsafe(4 + size);
  let at = frame.writeUInt32BE(size, 0);
  for (const field of fields) {
    const start = at + 4;
    const length = typeof field === 'string' ? frame.write(field, start, 'utf8') : copy(field, frame, start);
    frame.writeUInt32BE(length, at);
    at = start + length;
  }
  return frame;
}

const byteLength = (field: Field): number => (typeof field === 'string' ? Buffer.byteLength(field) : field.length);

function copy(field: Uint8Array, frame: Buffer, at: number): number {
  frame.set(field, at);
  return field.length;
}

/** What cannot be a frame; the stream is useless from there on. */
export class MalformedFrame extends Error {}

/** Takes a stream in whatever pieces it comes and gives the frames in it. */
export class FrameDecoder {
  private pieces: Buffer[] = [];
  private held = 0;
  /** Bytes of the frame under way, its length included; null until that length is known. */
  private wanted: number | null = null;

  /** The frames that are whole now, each as its fields. Throws MalformedFrame. */
  push(piece: Buffer): Buffer[][] {
    this.pieces.push(piece);
    this.held += piece.length;
    const frames: Buffer[][] = [];
    for (;;) {
      if (this.wanted === null) {
        if (this.held < 4) return frames;
        const length = this.joined().readUInt32BE(0);
        if (length > maxFrameBytes) throw new MalformedFrame(`a frame of ${length} bytes`);
        this.wanted = 4 + length;
      }
      if (this.held < this.wanted) return frames;
      const all = this.joined();
      frames.push(fieldsOf(all.subarray(4, this.wanted)));
      const rest = all.subarray(this.wanted);
      this.pieces = rest.length > 0 ? [rest] : [];
      this.held = rest.length;
      this.wanted = null;
    }
  }

  /** Bytes of a frame that is not whole yet. */
  get pending(): number {
    return this.held;
  }

  /** Pieces are joined only when a frame is whole, so that many small ones do not cost their square. */
  private joined(): Buffer {
    const [only, second] = this.pieces;
    if (only !== undefined && second === undefined) return only;
    const all = Buffer.concat(this.pieces, this.held);
    this.pieces = [all];
    return all;
  }
}

function fieldsOf(body: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    if (body.length - at < 4) throw new MalformedFrame('a field without its length');
    const end = at + 4 + body.readUInt32BE(at);
    if (end > body.length) throw new MalformedFrame('a field longer than its frame');
    if (fields.length === maxFields) throw new MalformedFrame(`over ${maxFields} fields`);
    fields.push(body.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
