import { html } from '../html.ts';

export const mark = html`<svg class="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"><circle cx="10" cy="10" r="8.1" stroke-width="2.4" opacity=".28"/><path d="M10 1.9a8.1 8.1 0 0 1 5.73 13.83" stroke-width="2.4"/><path d="M10 5.6V10l2.9 2.9" stroke-width="2.2"/></g></svg>`;
