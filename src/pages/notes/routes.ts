/** Fixed paths must come before /my/notes/:noteId. */

import type { PageRoute } from '../frame/page.ts';
import { noteEncryptionRoutes } from './encrypted.ts';
import { noteFileRoutes } from './files.ts';
import { noteLockRoutes } from './locked.ts';
import { noteRoutes } from './note.ts';
import { noteListRoutes } from './panes.ts';

const all: PageRoute[] = [...noteListRoutes, ...noteEncryptionRoutes, ...noteLockRoutes, ...noteFileRoutes, ...noteRoutes];

/** Note texts must not be stored with refused forms. */
export const notesRoutes: PageRoute[] = all.map((route) => (route.public ? route : { ...route, keepsNothing: true }));
