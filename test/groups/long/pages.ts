/** Every page in every size. */
import '../../pages/everyPage.browser.test.ts';
