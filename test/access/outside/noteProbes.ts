/** The agent's tools for personal notes. */
import { once } from './faces.ts';
import { ABSENT, differ, judge, ownOrOthers, type Probe, revisionOf, type Scene, sortedIds } from './probe.ts';
import type { Note } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;

const mayNote = ({ caller }: Scene, right: string) => caller.user.agent.notes.includes(right);
const isThere = ({ caller }: Scene, note: Note | null) =>
  note !== null && note.user === caller.user && note.protection === 'none' && !note.deleted;

const notesList: Make = (scene) => {
  const { random, faces, caller } = scene;
  const folder = random.chance(0.4) ? (ownOrOthers(scene, ({ folders }) => folders)?.one ?? null) : null;
  const mine = caller.user.notes.filter((note) => isThere(scene, note) && (!folder || note.folder === folder));
  return {
    ...{ name: 'svc_personal_notes_list', target: folder ? `folder ${folder.id}` : 'all' },
    expected: judge(caller, mayNote(scene, 'read') && (!folder || folder.user === caller.user)),
    send: () => faces.tool(caller, 'svc_personal_notes_list', { limit: 100, ...(folder && { folderId: folder.id }) }),
    check: ({ notes, folders }) => differ([sortedIds(notes), sortedIds(folders)], [sortedIds(mine), sortedIds(caller.user.folders)]),
  };
};

const notesGet: Make = (scene) => {
  const { faces, caller } = scene;
  const note = ownOrOthers<Note>(scene, ({ notes }) => notes)?.one ?? null;
  return {
    ...{
      name: 'svc_personal_notes_get',
      target: note?.ref ?? 'nothing',
      expected: judge(caller, mayNote(scene, 'read') && isThere(scene, note)),
    },
    send: () => faces.tool(caller, 'svc_personal_notes_get', { id: note?.id ?? ABSENT }),
    check: (body) => differ(body.id, note!.id),
  };
};

const notesCreate: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const folder = random.chance(0.5) ? (ownOrOthers(scene, ({ folders }) => folders)?.one ?? null) : null;
  const note: Note = { ref: 'new note', id: 0, user: caller.user, revision: 1, folder, protection: 'none', deleted: false };
  const html = `<p>Own ${town.marks.mark({ kind: 'note', note })}</p>`;
  const allowed = () => mayNote(scene, 'add') && (!folder || folder.user === caller.user);
  const args = once({ html, ...(folder && { folderId: folder.id }) });
  return {
    ...{ name: 'svc_personal_notes_create', target: folder ? `folder ${folder.id}` : 'unfiled', expected: judge(caller, allowed()) },
    send: () => faces.tool(caller, 'svc_personal_notes_create', args),
    learn: ({ id }) => void (note.id || caller.user.notes.push(Object.assign(note, { id }))),
    replay: () => judge(caller, allowed() && isThere(scene, note)),
  };
};

const notesChange: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const note = ownOrOthers<Note>(scene, ({ notes }) => notes)?.one ?? null;
  const removes = random.chance(0.3);
  const stale = random.chance(0.1);
  const id = note?.id ?? ABSENT;
  const revision = (await revisionOf(scene, 'personal_notes', id)) + (stale ? 1 : 0);
  const name = removes ? 'svc_personal_notes_delete' : 'svc_personal_notes_update';
  const right = removes ? 'delete' : 'edit';
  const [{ html } = { html: '<p>None</p>' }] = await scene.fixtures.sql(
    `select html from personal_notes where id = $1 and protection = 'none'`,
    [id],
  );
  const args = once({ id, revision, ...(!removes && { html, folderId: note?.folder?.user === caller.user ? note.folder.id : 0 }) });
  return {
    ...{
      name,
      target: note?.ref ?? 'nothing',
      expected: judge(caller, mayNote(scene, right) && isThere(scene, note), stale ? 'conflict' : 'ok'),
    },
    send: () => faces.tool(caller, name, args),
    learn: () => {
      if (removes) note!.deleted = true;
    },
    replay: () => judge(caller, mayNote(scene, right) && (removes || isThere(scene, note))),
  };
};

export const noteProbes: [weight: number, make: Make][] = [
  [2, notesList],
  [3, notesGet],
  [2, notesCreate],
  [4, notesChange],
];
