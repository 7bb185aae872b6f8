/** What a leaf is embedded as: its context header in front of its text. */
export function embeddingText({ breadcrumb, text }: { breadcrumb: string; text: string }): string {
  return `${breadcrumb}\n\n${text}`;
}
