import type { Caller } from './caller.ts';

export const vias = ['page', 'rest', 'agent', 'job', 'import', 'cli'] as const;
export type Via = (typeof vias)[number];

export function viaOf(caller: Caller): Via {
  switch (caller.kind) {
    case 'key':
      return 'rest';
    case 'agent':
      return 'agent';
    case 'session':
      return caller.over ?? 'page';
    case 'visitor':
      return 'page';
    case 'user':
      return caller.over ?? 'job';
  }
}
