import { attribution } from './attribution.ts';
import type { Report } from './blocks.ts';
import { channels } from './channels.ts';
import { closing } from './closing.ts';
import { dataQuality } from './data-quality.ts';
import { opening } from './opening.ts';
import { segments } from './segments.ts';

/** The research report of the demo. All names and figures are invented. */
export const campaignResearch: Report = {
  title: 'Signals First: Campaign ROI Research, Q3 2025',
  author: 'Noor Achterberg',
  footnotes: {
    1: 'Kappa was computed on 240 passages before the coders discussed their differences; 31 passages were recoded afterwards.',
  },
  blocks: [...opening, ...attribution, ...segments, ...channels, ...dataQuality, ...closing],
};
