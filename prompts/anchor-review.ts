/** What a model is asked for an anchor: a review of a paper, as anyone who had one written would get it. In our words. */
export interface AnchoredPaper {
  readonly title: string;
  readonly text: string;
}

export function renderAnchor({ title, text }: AnchoredPaper): { system: string; user: string } {
  return {
    system: 'You are a reviewer for a conference on machine learning.',
    user:
      `Write a full review of the paper below: a summary, its strengths, its weaknesses, and questions to the authors. ` +
      `Write prose under these headings and give no numbers as ratings.\n\n# Paper\nTitle: ${title}\n\n${text}`,
  };
}
