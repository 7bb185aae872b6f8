/** The headings of a breadcrumb alone: "Source" is no word of any document. */
export const withoutMark = (breadcrumb: string): string => breadcrumb.replace(/^\[Source: /, '');
