/** Runs from the sources, not from the bundle: it reads where statements stand. */
import '../database/rowSchemas.db.test.ts';
