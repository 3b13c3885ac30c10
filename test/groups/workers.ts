/** The worker process. */
import '../workers/computing.db.test.ts';
import '../workers/connections.db.test.ts';
import '../workers/prune.db.test.ts';
import '../workers/races.db.test.ts';
import '../workers/reminders.db.test.ts';
import '../workers/scheduled.db.test.ts';
import '../workers/worker.db.test.ts';
