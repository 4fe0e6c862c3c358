/** Frames of docs/keeper-protocol.md, written anew for the tests so that the daemon's own code is not its own judge. */
export type Pair = readonly [key: string, value: string | Buffer];

export interface Frame {
  readonly verb: string;
  readonly get: (key: string) => string | undefined;
}

const field = (value: string | Buffer): Buffer => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
};

export const encode = (verb: string, pairs: readonly Pair[] = []): Buffer =>
  field(Buffer.concat([field(verb), ...pairs.flatMap(([key, value]) => [field(key), field(value)])]));

/** Takes all whole frames from the front; gives them and the rest. */
export const decode = (bytes: Buffer): { frames: Frame[]; rest: Buffer } => {
  const frames: Frame[] = [];
  let rest = bytes;
  while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
    const body = rest.subarray(4, 4 + rest.readUInt32BE(0));
    rest = rest.subarray(4 + body.length);
    const fields: string[] = [];
    for (let at = 0; at < body.length; at += 4 + body.readUInt32BE(at)) {
      fields.push(body.subarray(at + 4, at + 4 + body.readUInt32BE(at)).toString());
    }
    const [verb = '', ...pairs] = fields;
    frames.push({ verb, get: (key) => pairs.find((_, i) => i % 2 === 1 && pairs[i - 1] === key) });
  }
  return { frames, rest };
};
