/** An item and its parts in a browser. */
import '../pages/comments.browser.test.ts';
import '../pages/compose.browser.test.ts';
import '../pages/copies.browser.test.ts';
import '../pages/inPlaceText.browser.test.ts';
import '../pages/itemFiles.browser.test.ts';
import '../pages/pickers.browser.test.ts';
