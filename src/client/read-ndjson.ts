import { ConnectionLost } from './connection-lost.ts';

/** The values of newline-delimited JSON, one a line; an unfinished last line means that the stream broke. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      held.push(chunk.subarray(from, end));
      const line = Buffer.concat(held).toString('utf8').trim();
      held = [];
      from = end + 1;
      if (line !== '') yield parseLine(line);
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  if (held.length > 0) throw new ConnectionLost('the answer ended in the middle of a line');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ConnectionLost('the answer has a line that is not JSON', cause);
  }
}
