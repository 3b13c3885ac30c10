/** Commands of the operator. */
import '../cli/credentials.db.test.ts';
import '../cli/database.db.test.ts';
import '../cli/importSource.db.test.ts';
import '../cli/lists.db.test.ts';
import '../cli/refusals.db.test.ts';
