/** Who may do what. */
import '../access/access.db.test.ts';
import '../access/jobs.db.test.ts';
import '../access/outside.db.test.ts';
import '../access/races.db.test.ts';
import '../access/throttle/perMinute.db.test.ts';
import '../operations/limits.db.test.ts';
import '../operations/perform.db.test.ts';
