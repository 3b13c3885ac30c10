/** Every page and component in every size and mode, and frequent tasks by keyboard. */
import '../../pages/everyPage.browser.test.ts';
import '../../pages/frequentTasks.browser.test.ts';
import '../../pages/mainPages.browser.test.ts';
import '../../pages/styleguide.browser.test.ts';
