/** Of the browser's frame: the surface of tokens.css. */
export const themeColors = { light: '#fffefc', dark: '#151b1c' } as const;
