/** Connections, statements and migrations. */
import '../database/connections.db.test.ts';
import '../database/database.db.test.ts';
import '../database/listen.db.test.ts';
import '../database/migrate.db.test.ts';
import '../database/queryPlans.db.test.ts';
import '../database/queueTables.db.test.ts';
import '../database/retention.db.test.ts';
import '../database/statements.db.test.ts';
import '../database/tenancy.db.test.ts';
import '../database/transaction.db.test.ts';
import '../roundTrips.db.test.ts';
