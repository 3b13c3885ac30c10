/** Tests that read or replace sources: they run from them, not from the bundle. */
import '../../../database/rowSchemas.db.test.ts';
import '../../../items/newField.db.test.ts';
