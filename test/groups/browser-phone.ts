/** Pages on a phone, by touch and offline. */
import '../pages/phone/installed.db.test.ts';
import '../pages/phone/navigate.browser.test.ts';
import '../pages/phone/offline.browser.test.ts';
import '../pages/phone/phone.browser.test.ts';
