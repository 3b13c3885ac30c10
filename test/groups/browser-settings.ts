/** Accounts, connections and settings in a browser. */
import '../pages/account.browser.test.ts';
import '../pages/connections.browser.test.ts';
import '../pages/import/import.browser.test.ts';
import '../pages/inbox.browser.test.ts';
import '../pages/workSettings.browser.test.ts';
import '../rest/docs.browser.test.ts';
