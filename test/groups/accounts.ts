/** Accounts, workspaces and erasures. */
import '../accounts/linkMails.db.test.ts';
import '../accounts/newPasswords.db.test.ts';
import '../accounts/ownerLinks.db.test.ts';
import '../accounts/workingTimes.db.test.ts';
import '../audit/audit.db.test.ts';
import '../erasure/account.db.test.ts';
import '../erasure/person.db.test.ts';
import '../erasure/workspace.db.test.ts';
import '../workspaces/administer.db.test.ts';
