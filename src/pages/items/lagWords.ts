import { quantity } from '../frame/widgets.ts';

export const lagWords = (days: number): string => `${quantity(days, 'working day')} later`;
