/** Hostile requests and bad HTTP. */
import '../attacks/hostile.db.test.ts';
import '../http/address.db.test.ts';
import '../http/metrics.db.test.ts';
import '../http/requestLog.db.test.ts';
import '../http/workerMetrics.db.test.ts';
import '../rest/badHttp.db.test.ts';
import '../rest/fuzz.db.test.ts';
