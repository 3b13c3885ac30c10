/** Whole lives of processes and tables: faults, alerts, containers, upgrades, clocks, keys and restarts. */
import '../../chaos/alerts.db.test.ts';
import '../../chaos/chaos.db.test.ts';
import '../../database/failover.db.test.ts';
import '../../database/grownTables.db.test.ts';
import '../../database/pgbouncer.db.test.ts';
import '../../deployment/container.process.test.ts';
import '../../deployment/procfile.db.test.ts';
import '../../embedded/embedded.db.test.ts';
import '../../import/runs/killed.db.test.ts';
import '../../secretKeyRotation.db.test.ts';
import '../../start/dev.db.test.ts';
import '../../workers/clocks.db.test.ts';
import '../../workers/forgotten.db.test.ts';
import '../../workers/outbound.db.test.ts';
import '../../workers/restart.db.test.ts';
