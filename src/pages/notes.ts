/** The pages of personal notes. Fixed addresses stand before /my/notes/:noteId. */
import { noteEncryptionRoutes } from './notesEncrypted.ts';
import { noteFileRoutes } from './notesFiles.ts';
import { noteListRoutes } from './notesList.ts';
import { noteLockRoutes } from './notesLocked.ts';
import { noteRoutes } from './notesNote.ts';
import type { PageRoute } from './page.ts';

export const notesRoutes: PageRoute[] = [...noteListRoutes, ...noteEncryptionRoutes, ...noteLockRoutes, ...noteFileRoutes, ...noteRoutes];
