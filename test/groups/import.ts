/** Imports and exports. */
import '../import/assignees.db.test.ts';
import '../import/export.db.test.ts';
import '../import/failures.db.test.ts';
import '../import/import.db.test.ts';
import '../import/refusals.db.test.ts';
import '../import/runs/rights.db.test.ts';
import '../import/runs/run.db.test.ts';
import '../import/runs/setAside.db.test.ts';
import '../import/zip.db.test.ts';
