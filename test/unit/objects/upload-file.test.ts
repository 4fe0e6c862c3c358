import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { partSizeFor } from '../../../src/objects/multipart.ts';
import { partBytes } from '../../../src/objects/put-object.ts';
import { uploadFile } from '../../../src/objects/upload-file.ts';
import { fakeS3, refusal, type Sent } from './fake-s3.ts';

const place = { bucket: 'b', key: 'k' };
const signal = new AbortController().signal;
const mebibyte = 1048576;

const fileOf = (t: TestContext, content: Uint8Array): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-upload-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  writeFileSync(file, content);
  return file;
};

/** Has what was put there, whole or in parts, as a storage does that checks the sums. */
const storage = (change: Partial<Record<string, (sent: Sent) => object>> = {}) => {
  const parts = new Map<number, Buffer>();
  let object: Buffer | null = null;
  const bodyOf = ({ input }: Sent): Buffer => {
    const body = Buffer.from(input['Body'] as Uint8Array);
    if (createHash('md5').update(body).digest('base64') !== input['ContentMD5']) throw refusal('BadDigest');
    return body;
  };
  const answers: Record<string, (sent: Sent) => object> = {
    PutObject: (sent) => {
      object = bodyOf(sent);
      return {};
    },
    CreateMultipartUpload: () => ({ UploadId: 'u1' }),
    UploadPart: (sent) => {
      parts.set(Number(sent.input['PartNumber']), bodyOf(sent));
      return { ETag: `e${String(sent.input['PartNumber'])}` };
    },
    CompleteMultipartUpload: () => {
      object = Buffer.concat([...parts.entries()].sort(([a], [b]) => a - b).map(([, part]) => part));
      return {};
    },
    HeadObject: () => ({ ContentLength: object?.length }),
    ListMultipartUploads: () => ({}),
    AbortMultipartUpload: () => ({}),
    ...change,
  };
  const fake = fakeS3((sent) => answers[sent.name]?.(sent) ?? {});
  return { ...fake, object: () => object };
};

test('a small file goes at once, with its sum, and only its length says that it is there', async (t) => {
  const content = Buffer.from('hello\n');
  const { s3, sent, object } = storage();
  assert.equal(await uploadFile(s3, place, fileOf(t, content), signal), 6);
  assert.deepEqual(object(), content);
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['PutObject', 'HeadObject'],
  );
});

test('a large file goes in parts that make the same bytes', async (t) => {
  const content = Buffer.alloc(2 * partBytes + 5, 'abcdefg\n');
  const { s3, sent, object } = storage();
  assert.equal(await uploadFile(s3, place, fileOf(t, content), signal), content.length);
  assert.equal(object()?.equals(content), true);
  assert.deepEqual(
    sent.filter(({ name }) => name === 'UploadPart').map(({ input }) => (input['Body'] as Buffer).length),
    [partBytes, partBytes, 5],
  );
  const { MultipartUpload } = sent.find(({ name }) => name === 'CompleteMultipartUpload')?.input ?? {};
  assert.deepEqual(MultipartUpload, { Parts: [1, 2, 3].map((n) => ({ PartNumber: n, ETag: `e${n}` })) });
});

test('a storage that has fewer bytes than the file has not got it', async (t) => {
  const { s3 } = storage({ HeadObject: () => ({ ContentLength: 5 }) });
  await assert.rejects(uploadFile(s3, place, fileOf(t, Buffer.from('hello\n')), signal), /has 5 bytes of 6/);
});

test('a file that grows while it is uploaded is not uploaded', async (t) => {
  const file = fileOf(t, Buffer.from('hello\n'));
  const { s3 } = storage({
    PutObject: () => {
      appendFileSync(file, 'more\n');
      return {};
    },
    HeadObject: () => ({ ContentLength: 6 }),
  });
  await assert.rejects(uploadFile(s3, place, file, signal), /was changed while it was uploaded/);
});

test('an upload in parts that fails is dropped, and so are those of the same object that were broken off before', async (t) => {
  const file = fileOf(t, Buffer.alloc(partBytes + 1));
  const { s3, sent } = storage({
    UploadPart: () => {
      throw refusal('SlowDown', 503);
    },
    ListMultipartUploads: () => ({
      Uploads: [
        { Key: 'k', UploadId: 'old' },
        { Key: 'k2', UploadId: 'another' },
      ],
    }),
  });
  await assert.rejects(uploadFile(s3, place, file, signal), /SlowDown/);
  assert.deepEqual(
    sent.filter(({ name }) => name === 'AbortMultipartUpload').map(({ input }) => input['UploadId']),
    ['old', 'u1'],
  );
});

test('a storage that cannot list uploads is uploaded to all the same', async (t) => {
  const { s3, object } = storage({
    ListMultipartUploads: () => {
      throw refusal('NotImplemented', 501);
    },
  });
  await uploadFile(s3, place, fileOf(t, Buffer.alloc(partBytes + 1)), signal);
  assert.equal(object()?.length, partBytes + 1);
});

test('a link in the place of a log is not followed', async (t) => {
  const file = fileOf(t, Buffer.from('x'));
  symlinkSync(file, `${file}.link`);
  const { s3, sent } = storage();
  await assert.rejects(uploadFile(s3, place, `${file}.link`, signal), { code: 'ELOOP' });
  assert.deepEqual(sent, []);
});

test('parts are large enough that no object has more of them than a storage takes', () => {
  for (const size of [1, partBytes, 80_000 * mebibyte, 100_000 * mebibyte + 1, 5_000_000 * mebibyte]) {
    const part = partSizeFor(size);
    assert.ok(Math.ceil(size / part) <= 10_000, String(size));
    assert.ok(part >= partBytes && part % mebibyte === 0);
  }
});
