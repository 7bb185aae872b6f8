/** What stands in front of the text of headers or footers: they are no part of the text around them. */
export const FURNITURE_LABELS = { header: 'Page header: ', footer: 'Page footer: ' } as const;
