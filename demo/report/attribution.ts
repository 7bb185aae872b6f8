import { type Block, bullets, h2, h3, p } from './blocks.ts';

export const attribution: Block[] = [
  h2('Attribution Models'),
  p(
    'We computed the effect of each channel in three independent ways. Where at least two of them agree within 20 %, we call a figure *firm*; elsewhere *indicative*. No single model was treated as the truth, because each of them is blind in a different place. The return of a channel in this report is the mean of the first two models; where the experiment covers the channel, it decides whether the mean may be called causal. The code of all three was reviewed by Finance, who ran it on their own machines and got the same figures to the last digit.',
  ),
  h3('Multi-Touch Attribution'),
  p(
    'Multi-touch attribution (MTA) spreads each won amount over the recorded touchpoints of its buyers, with a position-based weighting: 40 % for the first, 40 % for the last, the rest in between. It sees single accounts and reacts within days. It does not see what was not recorded: offline conversations, private browsers, and every session whose parameters were lost on the way. The look-back window was 90 days. MTA covers 81 % of the won amounts; for Enterprise it covers 58 %.',
  ),
  h3('Marketing Mix Model'),
  p(
    "The marketing mix model (MMM) is a Bayesian regression of weekly bookings on weekly spend by channel, with saturation and an adstock of up to eight weeks, fitted on 117 weeks. It needs no tracking of persons and includes offline channels. Its weak spot is collinearity: in Q3 paid search and paid social were raised in the same weeks, so the model cannot tell them apart well (posterior correlation -0.71). The priors were set in a workshop with Finance on 29 August and were not changed after the data was seen. Of all assumptions of the return model, the adstock of paid social is the weakest: halving it moves that channel's return from -31 % to -44 %.",
  ),
  h3('Geo Holdout'),
  p(
    'From 4 August to 14 September paid social was switched off in eight of forty matched regions of Germany, Austria and Switzerland (DACH). Sign-ups in the holdout regions fell by 2.1 % against their matched controls, with a 90 % interval from -5.0 % to +0.8 %. The experiment is the only causal evidence in this report. It covers one channel, one language area and six weeks; the power calculation had asked for ten weeks, but the regional sales managers asked to end it early.',
  ),
  h2('Interviews and Survey'),
  p(
    "Eighteen interviews of 45 minutes were held between 15 September and 10 October: seven with customers, five with customers who had cancelled, six with staff of Marketing, Sales, Finance and Customer Success. Two researchers coded each transcript independently (Cohen's kappa 0.78).[^1] The survey went to 684 customers; 212 answered. Enterprise customers are over-represented among the answers (29 % against 3 % of all customers), so that every survey figure is given by segment.",
  ),
  bullets(
    'Quotations are anonymous and were released by the person quoted.',
    'Nobody in Marketing saw the interview guide before the fieldwork ended.',
  ),
];
