/** Every page in every size. */
import '../../pages/access.browser.test.ts';
import '../../pages/everyPage.browser.test.ts';
