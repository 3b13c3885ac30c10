/** My day, time and toasts in a browser. */
import '../pages/my.browser.test.ts';
import '../pages/toast.browser.test.ts';
