import { tabs } from '../frame/components/tabs.ts';
import type { Content } from '../frame/html.ts';

const places = [
  ['/profile', 'You'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/password', 'Password'],
] as const;

export const profileTabs = ({ basePath }: { basePath: string }, here: (typeof places)[number][0]): Content =>
  tabs(
    'Your profile',
    places.map(([path, label]) => ({ href: basePath + path, label, current: path === here })),
  );
