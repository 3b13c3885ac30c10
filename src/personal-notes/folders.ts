/** Folders for personal notes (behaviour §11.10). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id, Label } from '../values/text.ts';
import { ownerPermit, readFolders } from './pageQueries.ts';
import { insertFolder, lockOwner, removeFolder, updateFolder } from './queries.ts';
import { deletionLine } from './schema.ts';

const MAX_FOLDERS = 200;
const Name = Label(200).transform((name) => name.trim());

const NewFolder = z.strictObject({ name: Name });
const RenamedFolder = z.strictObject({ folderId: Id, name: Name });
const FolderRef = z.strictObject({ folderId: Id });

const nameTaken = (name: string) => new InvalidRequest(['name'], `you already have a folder “${name}”; choose another name.`);

export const createFolder: Write<z.infer<typeof NewFolder>, { folderId: number }> = {
  name: 'createFolder',
  input: NewFolder,
  authorize: ownerPermit,
  async run(tx, permit: Permit, { name }) {
    await lockOwner(tx, permit.userId);
    if ((await readFolders(tx, permit.userId)).length >= MAX_FOLDERS) {
      throw new InvalidRequest(['name'], `you have ${MAX_FOLDERS} folders, the maximum; delete one first.`);
    }
    const folderId = await insertFolder(tx, permit, name);
    if (folderId === null) throw nameTaken(name);
    return { folderId };
  },
};

export const renameFolder: Write<z.infer<typeof RenamedFolder>, { folderId: number }> = {
  name: 'renameFolder',
  input: RenamedFolder,
  authorize: ownerPermit,
  async run(tx, permit: Permit, { folderId, name }) {
    await lockOwner(tx, permit.userId);
    const others = (await readFolders(tx, permit.userId)).filter(({ id }) => id !== folderId);
    if (others.some((folder) => folder.name === name)) throw nameTaken(name);
    if ((await updateFolder(tx, permit, folderId, name)) === null) throw new Forbidden();
    return { folderId };
  },
};

export const deleteFolder: Write<z.infer<typeof FolderRef>, { folderId: number }> = {
  name: 'deleteFolder',
  input: FolderRef,
  authorize: ownerPermit,
  audit: [{ kind: 'folder.erased', line: (permit: Permit, { folderId }) => deletionLine('folder', permit, folderId) }],
  async run(tx, permit: Permit, { folderId }) {
    if ((await removeFolder(tx, permit, folderId)) === null) throw new Forbidden();
    return { folderId };
  },
};
