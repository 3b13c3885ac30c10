import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

const kinds = {
  done: { tone: 'green', icon: 'circle-check', role: 'status' },
  info: { tone: 'accent', icon: 'info', role: 'status' },
  warning: { tone: 'amber', icon: 'triangle-alert', role: 'status' },
  error: { tone: 'red', icon: 'octagon-alert', role: 'alert' },
} as const satisfies Record<string, { tone: string; icon: IconName; role: string }>;

export function notice(kind: keyof typeof kinds, text: Content, action?: Content): Html {
  const { tone, icon: name, role } = kinds[kind];
  return html`<div class="notice ${tone}" role="${role}">${icon(name)}<p>${text}</p>${action && html`<div class="do">${action}</div>`}</div>`;
}
