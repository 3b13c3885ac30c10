/** The commands of the README and the processes that they start. */
import '../deployment/procfile.db.test.ts';
import '../sample/sample.db.test.ts';
import '../start.db.test.ts';
import '../web.db.test.ts';
import '../webhooks/chat.db.test.ts';
import '../webhooks/deliver.db.test.ts';
import '../webhooks/pages.db.test.ts';
