/** The pages of personal notes. Fixed addresses stand before /my/notes/:noteId. */

import type { PageRoute } from '../frame/page.ts';
import { noteEncryptionRoutes } from './encrypted.ts';
import { noteFileRoutes } from './files.ts';
import { noteListRoutes } from './list.ts';
import { noteLockRoutes } from './locked.ts';
import { noteRoutes } from './note.ts';

const all: PageRoute[] = [...noteListRoutes, ...noteEncryptionRoutes, ...noteLockRoutes, ...noteFileRoutes, ...noteRoutes];

/** What is protected by a password, or readable in a browser alone, is never stored in another way. */
export const notesRoutes: PageRoute[] = all.map((route) => (route.public ? route : { ...route, keepsNothing: true }));
