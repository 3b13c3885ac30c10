/** As thorough.ts: of access, agents and workers. */
import '../../access/access.db.test.ts';
import '../../access/jobs.db.test.ts';
import '../../access/outside.db.test.ts';
import '../../access/throttle/perMinute.db.test.ts';
import '../../mcp/fuzz.db.test.ts';
import '../../mcp/once.db.test.ts';
import '../../mcp/parity.db.test.ts';
import '../../start.db.test.ts';
import '../../web.db.test.ts';
import '../../workers/connections.db.test.ts';
import '../../workers/reminders.db.test.ts';
import '../../workers/worker.db.test.ts';
