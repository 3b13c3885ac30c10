/** Saves a note while it is written, by the same operations as the forms. Answers JSON (behaviour §29.2). */
import type { OwnNote } from '../../personal-notes/ownNotes.ts';
import { encryptNote, saveLockedNote } from '../../personal-notes/protection.ts';
import type { NoteReceipt } from '../../personal-notes/schema.ts';
import { updateNote } from '../../personal-notes/writeNote.ts';
import { clockOf } from '../frame/clock.ts';
import { timeWords } from '../frame/components/when.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { refusalOf, submitted } from '../frame/submitted.ts';
import { draftOf, missingFolder, noteLabels } from './noteForm.ts';
import { findNote } from './panes.ts';
import { isOpened, openedMark } from './proofs.ts';
import { noteIdOf } from './wanted.ts';

interface Saving {
  id: number;
  opened: boolean;
  encrypted: boolean;
}

export async function autosave(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const id = noteIdOf(request);
  const revision = form.id('revision');
  const saving: Saving = { id, opened: isOpened(request), encrypted: form.has('cipher') };
  const outcomes = {
    labels: noteLabels,
    done: (receipt: NoteReceipt) => saved(request, saving, receipt),
    again: ({ error, problem }: { error: Error & { code: string }; problem: string }) =>
      error.code === 'conflict' ? stored(request, saving, '') : { data: { problem }, status: 400 },
    gone: () => stored(request, saving, refusalOf(missingFolder(), noteLabels).problem),
  };
  const at = { id, revision };
  if (saving.encrypted)
    return submitted(request, encryptNote, () => ({ ...at, cipher: form.raw('cipher'), folderId: form.id('folderId') }), outcomes);
  const draft = () => ({ ...at, ...draftOf(request) });
  return saving.opened ? submitted(request, saveLockedNote, draft, outcomes) : submitted(request, updateNote, draft, outcomes);
}

const saved = (request: PageRequest, { id, opened }: Saving, { revision }: NoteReceipt): Answer => ({
  data: {
    ...{ revision, at: timeWords(new Date().toISOString(), clockOf(request)) },
    ...(opened && { opened: openedMark(request, id, revision) }),
  },
});

/** The stored note. `problem`: the error if the note still has the same protection. */
async function stored(request: PageRequest, { id, opened, encrypted }: Saving, problem: string): Promise<Answer> {
  const found = await findNote(request, opened);
  if (!found || !isStill(found.note, opened, encrypted)) return { data: { gone: true }, status: 409 };
  if (problem) return { data: { problem }, status: 400 };
  const { html, cipher, revision, folderId } = found.note;
  const mark = opened ? { opened: openedMark(request, id, revision) } : {};
  return { data: { stored: { ...(encrypted ? { cipher } : { html }), revision, folderId, ...mark } }, status: 409 };
}

const isStill = ({ protection }: OwnNote, opened: boolean, encrypted: boolean): boolean =>
  protection === (encrypted ? 'encrypted' : opened ? 'locked' : 'none');
