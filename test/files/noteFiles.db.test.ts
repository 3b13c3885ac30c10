/** Attachments of personal notes move to the store of files when the database is migrated (behaviour §35.12). */
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { freshDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('existing attachments keep their bytes, names and ids, also empty ones and those of encrypted notes', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const folder = temporaryFolder();
  cpSync(fileURLToPath(new URL('../../sql/', import.meta.url)), folder, { recursive: true });
  const first = readdirSync(folder).find((name) => name.endsWith('_note_files.sql'))!;
  for (const name of readdirSync(folder)) if (name >= first) rmSync(`${folder}/${name}`);
  await migrate(url, { from: pathToFileURL(`${folder}/`) });
  rmSync(folder, { recursive: true });
  const client = new pg.Client(url);
  await client.connect();
  t.teardown(() => client.end());
  const one = async (text: string, values: unknown[] = []) => Number(Object.values((await client.query(text, values)).rows[0])[0]);
  const account = await one(`insert into accounts (name) values ('A') returning id`);
  const user = await one(`insert into users (account_id, email, name) values ($1, 'a@a.example', 'A') returning id`, [account]);
  const note = await one(`insert into personal_notes (account_id, user_id, html, title, text) values ($1, $2, '', '', '') returning id`, [
    account,
    user,
  ]);
  const contents = [Buffer.alloc(0), Buffer.from('x'), randomBytes(262_144), randomBytes(5 * 1024 * 1024)];
  const ids: number[] = [];
  for (const content of contents)
    ids.push(
      await one(`insert into note_attachments (account_id, note_id, name, content) values ($1, $2, 'n', $3) returning id`, [
        account,
        note,
        content,
      ]),
    );

  await migrate(url);

  const { rows } = await client.query(
    `select a.id::int, a.size::int, bytes_of(a.account_id, a.blob_id) as bytes, b.sha256, b.kept, b.size = a.size as agrees
     from note_attachments a join blobs b on b.id = a.blob_id order by a.id`,
  );
  t.deepEqual(
    rows.map(({ id }) => id),
    ids,
  );
  for (const [n, { size, bytes, sha256, kept, agrees }] of rows.entries()) {
    t.true(contents[n]!.equals(bytes));
    t.deepEqual([size, kept, agrees], [contents[n]!.length, true, true]);
    t.true(sha256.equals(createHash('sha256').update(contents[n]!).digest()));
  }
  const total = contents.reduce((sum, { length }) => sum + length, 0);
  t.is(await one('select bytes from blob_usage'), total);
  const before = await one('select file_bytes from note_usage');
  await client.query('delete from note_attachments where id = $1', [ids[3]]);
  t.is(await one('select file_bytes from note_usage'), before - contents[3]!.length);
  await client.query('delete from personal_notes');
  t.deepEqual([await one('select count(*) from blobs'), await one('select bytes from blob_usage')], [0, 0]);
});
