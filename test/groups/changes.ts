/** Changes, notifications and webhooks. */
import '../changes/feed.db.test.ts';
import '../changes/follow.db.test.ts';
import '../changes/many.db.test.ts';
import '../changes/rows.db.test.ts';
import '../changes/versions.db.test.ts';
import '../comments/rewrite/model.process.test.ts';
import '../comments/rewrite/rewriteNotes.db.test.ts';
import '../live/hub.db.test.ts';
import '../notifications/away.db.test.ts';
import '../notifications/changes.db.test.ts';
import '../notifications/days.db.test.ts';
import '../notifications/mails.db.test.ts';
import '../notifications/notifications.db.test.ts';
import '../notifications/unblocked.db.test.ts';
import '../webhooks/chat.db.test.ts';
import '../webhooks/deliver.db.test.ts';
import '../webhooks/pages.db.test.ts';
