/** Personal notes. */
import '../personal-notes/notes.db.test.ts';
import '../personal-notes/pages.db.test.ts';
import '../personal-notes/races.db.test.ts';
