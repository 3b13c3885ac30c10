/** Many connections change one person's notes at once. Invalid combinations never appear (behaviour §11.11, §11.13). */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PBKDF2_ITERATIONS } from '../../src/personal-notes/attachments.ts';
import { type Attack, loops } from './attack.ts';
import { formsOf, send, sessionOf } from './requests.ts';

const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');
const lengths = { salt: bytes(16), iv: bytes(12), data: bytes(40) };
const cipher = JSON.stringify({ v: 1, kdf: 'PBKDF2-SHA256', iterations: PBKDF2_ITERATIONS, ...lengths });

const part = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`;
const asFile = (fields: Record<string, string>) => {
  const parts = Object.entries(fields).map(([name, value]) => part(`"${name}"`, value));
  return `${parts.join('')}${part('"file"; filename="a.txt"\r\nContent-Type: text/plain', 'readable')}--x--\r\n`;
};

const LEFT = `select count(*) filter (where protection = 'encrypted')::integer as encrypted,
    count(*) filter (where protection = 'encrypted' and files > 0)::integer as readable,
    count(*) filter (where files = 20)::integer as filled, count(*) filter (where files > 20)::integer as over
  from (select protection, (select count(*) from note_attachments a where a.note_id = n.id) as files
          from personal_notes n where n.id = any ($1)) found`;

export const byRaces: Record<string, Attack> = {
  races: {
    ...{ title: '24 connections that encrypt one person’s notes and add files', seconds: 10 },
    async run(target, signal, tally) {
      const { headers: form, csrf } = await formsOf(target);
      const multipart = { ...sessionOf(target), 'Content-Type': 'multipart/form-data; boundary=x' };
      const fields = () => ({ _csrf: csrf, _once: randomUUID(), revision: '1' });
      const attach = (id: number) => send(target, { path: `/my/notes/${id}/files`, headers: multipart, body: asFile(fields()) }, tally);
      // A file takes longer to arrive than a ciphertext, so vary which comes first.
      const encrypt = async (id: number) => {
        await sleep(randomInt(30));
        const body = new URLSearchParams({ ...fields(), folderId: '0', cipher }).toString();
        return send(target, { path: `/my/notes/${id}/encrypt`, headers: form, body }, tally);
      };
      const kinds = [encrypt, attach, attach, encrypt];
      let turn = 0;
      await loops(6, signal, () => {
        const at = turn++;
        const notes = at % 2 ? target.nearlyFullNotes : target.emptyNotes;
        const note = notes[Math.floor(at / 2) % notes.length]!;
        return Promise.all((at % 2 ? [attach, attach, attach, attach] : kinds).map((one) => one(note)));
      });
    },
    async check(sql, { emptyNotes, nearlyFullNotes }, answers) {
      const [left] = await sql(LEFT, [[...emptyNotes, ...nearlyFullNotes]]);
      Object.assign(answers, left);
      return [
        ...(left!.readable ? [`${left!.readable} encrypted notes with files`] : []),
        ...(left!.over ? [`${left!.over} notes with over 20 files`] : []),
        ...(left!.encrypted && left!.filled ? [] : ['no races took place']),
      ];
    },
  },
};
