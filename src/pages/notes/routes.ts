/** The pages of personal notes. Fixed addresses stand before /my/notes/:noteId. */

import type { PageRoute } from '../frame/page.ts';
import { noteEncryptionRoutes } from './encrypted.ts';
import { noteFileRoutes } from './files.ts';
import { noteListRoutes } from './list.ts';
import { noteLockRoutes } from './locked.ts';
import { noteRoutes } from './note.ts';

export const notesRoutes: PageRoute[] = [...noteListRoutes, ...noteEncryptionRoutes, ...noteLockRoutes, ...noteFileRoutes, ...noteRoutes];
