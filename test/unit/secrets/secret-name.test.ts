import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretIdProblem, secretNameProblem } from '../../../src/secrets/secret-name.ts';

test('a secret goes into a variable that any shell can name, and into none of orca’s own', () => {
  for (const name of ['DB', '_x', 'db_password2', 'A'.repeat(100)]) assert.equal(secretNameProblem(name), null, name);
  for (const name of ['', '2DB', 'DB-PASSWORD', 'DB PASSWORD', 'DÄ', 'A=B', 'A\n', 'A'.repeat(101)])
    assert.notEqual(secretNameProblem(name), null, name);
  for (const name of ['ORCA_SECRETS', 'ORCA_START', 'ORCA_MY_OWN'])
    assert.match(secretNameProblem(name) ?? '', /ORCA_ are orca's own/, name);
});

test('an id is one line that no command reads as an option, and a file has its whole path', () => {
  for (const id of ['prod/db', 'arn:aws:secretsmanager:eu-west-1:1:secret:a-b', 'file:/run/x y', 'env:TOKEN', 'ä b'])
    assert.equal(secretIdProblem(id), null, id);
  for (const id of [
    '',
    '-rf',
    '--help',
    'a\nb',
    'a\u001b[2Jb',
    'a\u202eb',
    'a\0b',
    'file:',
    'file:x/y',
    'x'.repeat(2049),
  ])
    assert.notEqual(secretIdProblem(id), null, JSON.stringify(id));
});
