/** The commands of the README and the processes that they start. */
import '../sample/sample.db.test.ts';
import '../start.db.test.ts';
import '../web.db.test.ts';
