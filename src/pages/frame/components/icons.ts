/** Names of the lucide icons of pages and scripts. To use another icon, add its name. */
export const iconNames = [
  ...['activity', 'alarm-clock', 'archive', 'archive-restore', 'arrow-down', 'arrow-left', 'arrow-right', 'arrow-up', 'arrow-up-down'],
  ...['at-sign', 'ban', 'bell', 'bell-off', 'bold', 'bookmark', 'bot', 'calendar', 'calendar-plus', 'chart-gantt', 'check'],
  ...['chevron-down', 'chevron-left', 'chevron-right', 'chevron-up', 'chevrons-up', 'chevrons-up-down', 'circle-alert'],
  ...['circle-check', 'circle-dashed', 'circle-question-mark', 'circle-x', 'clock', 'code', 'columns-3', 'compass', 'copy'],
  ...['corner-up-left', 'download', 'ellipsis', 'external-link', 'eye', 'file', 'file-text', 'flag', 'flask-conical', 'folder'],
  ...['gauge', 'grip-vertical', 'heart', 'history', 'hourglass', 'image', 'inbox', 'info', 'italic', 'key-round', 'keyboard'],
  ...['layers', 'layout-template', 'link', 'list', 'list-checks', 'list-filter', 'list-ordered', 'list-tree', 'lock', 'log-out'],
  ...['mail', 'menu', 'message-square', 'minus', 'monitor', 'monitor-smartphone', 'moon', 'notebook-pen', 'octagon-alert'],
  ...['paperclip', 'party-popper', 'pencil', 'play', 'plug', 'plus', 'redo-2', 'refresh-cw', 'repeat', 'rotate-ccw', 'rows-3', 'save'],
  ...['scroll-text', 'search', 'send', 'settings', 'shield', 'ship', 'sliders-horizontal', 'smile-plus', 'sparkles', 'split'],
  ...['square', 'star', 'strikethrough', 'sun', 'table', 'tag', 'target', 'text-quote', 'thumbs-up', 'timer', 'trash-2'],
  ...['triangle-alert', 'underline', 'undo-2', 'user', 'user-plus', 'users', 'webhook', 'x'],
] as const;

export type IconName = (typeof iconNames)[number];
