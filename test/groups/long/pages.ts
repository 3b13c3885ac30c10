/** Every page and component in every size and mode. */
import '../../pages/everyPage.browser.test.ts';
import '../../pages/mainPages.browser.test.ts';
import '../../pages/styleguide.browser.test.ts';
