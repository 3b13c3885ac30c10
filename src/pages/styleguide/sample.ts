import type { Clock } from '../frame/clock.ts';
import type { AvatarProps } from '../frame/components/avatar.ts';
import type { Content } from '../frame/html.ts';

export interface Samples {
  title: string;
  /** Names and components. Ids must start with `id`, because each sample is shown twice. */
  show(of: { clock: Clock; id: string }): [string, Content][];
}

export const people = {
  ana: { id: 6, name: 'Ana Lindqvist', kind: 'person' },
  bo: { id: 1, name: 'Bo Madsen', kind: 'person' },
  cleo: { id: 2, name: 'Cleo Martins', kind: 'person' },
  dmitri: { id: 3, name: 'Dmitri Sokolov', kind: 'person' },
  farid: { id: 4, name: 'Farid Haddad', kind: 'person' },
  gro: { id: 5, name: 'Gro', kind: 'person' },
  agent: { id: 7, name: "Ana's assistant", kind: 'agent' },
  service: { id: 8, name: 'Build bot', kind: 'service' },
} as const satisfies Record<string, AvatarProps>;
