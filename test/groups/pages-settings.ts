/** Pages of settings and people. */
import '../pages/account.db.test.ts';
import '../pages/addresses.db.test.ts';
import '../pages/agentClients.db.test.ts';
import '../pages/agents.db.test.ts';
import '../pages/copies.db.test.ts';
import '../pages/firstSteps.db.test.ts';
import '../pages/forgotten.db.test.ts';
import '../pages/import/import.db.test.ts';
import '../pages/inbox.db.test.ts';
import '../pages/leavers.db.test.ts';
import '../pages/leaving.db.test.ts';
import '../pages/people.db.test.ts';
import '../pages/profile.db.test.ts';
import '../pages/sessions.db.test.ts';
import '../pages/signInLimits.db.test.ts';
