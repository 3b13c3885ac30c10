/** Every page, component and mail in every size and mode, the whole way of a new user, and frequent tasks by keyboard. */
import '../../mailer/letters.browser.test.ts';
import '../../pages/everyPage.browser.test.ts';
import '../../pages/firstRun.browser.test.ts';
import '../../pages/frequentTasks.browser.test.ts';
import '../../pages/mainPages.browser.test.ts';
import '../../pages/styleguide.browser.test.ts';
