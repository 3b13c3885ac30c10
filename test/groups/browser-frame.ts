/** Navigation, keyboard, palette and live pages in a browser. */
import '../pages/frame.browser.test.ts';
import '../pages/keyboard.browser.test.ts';
import '../pages/listRows.browser.test.ts';
import '../pages/live.browser.test.ts';
import '../pages/palette.browser.test.ts';
import '../pages/withoutScript.browser.test.ts';
import '../pages/workList.browser.test.ts';
