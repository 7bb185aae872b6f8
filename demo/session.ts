/** A section that a turn must find: a file, and the headings that lead to it. */
export interface ExpectedSection {
  filename: string;
  headerPath: string[];
}

/** One message of the scripted conversation, and what must come of it. */
export interface ScriptedTurn {
  message: string;
  /** Nothing may be looked up for it. */
  filler?: true;
  /** Must be among the sections that are sent to the model. */
  finds?: ExpectedSection;
  /** An earlier turn that must be sent along although it is outside the window of recent turns. */
  recalls?: number;
  /** What the brief must have at the end because this message states it. */
  records?: string[];
  /** Comes as server-sent events: without a break, or with the client away from its first words on. */
  stream?: 'whole' | 'broken';
}

/** A long message that is sent by mistake, and cancelled. */
export const MISTAKE = [
  'Sorry, this belongs elsewhere:',
  ...Array.from({ length: 150 }, (_, index) => `item ${index + 1} of the minutes of another meeting.`),
].join(' ');

const REPORT = 'campaign-research-q3.docx';
const NOTES = 'stakeholder-notes.md';
const inReport = (...headerPath: string[]): ExpectedSection => ({ filename: REPORT, headerPath });
const inNotes = (...headerPath: string[]): ExpectedSection => ({ filename: NOTES, headerPath });

/** A product manager's morning with the copilot. Turn 1 states what the brief is filled with; turn 3 says what stands in no document; turn 10 asks for it. */
export const SESSION: ScriptedTurn[] = [
  {
    message:
      'We want to build an ROI dashboard that shows every team what its campaigns brought. Our decision maker is Marta Okonkwo, the CMO. The budget is 40,000 euros. We have to ship before 28 November. We assume that the regional leads would open it every Monday.',
    records: ['Marta Okonkwo', '40,000 euros', '28 November', 'every Monday'],
  },
  {
    message: 'How high is the churn of Enterprise customers, and what do those who left name as the reason?',
    finds: inReport('Findings', 'Customer Segments', 'Enterprise'),
    stream: 'whole',
  },
  {
    message:
      'One thing that is written down nowhere: on 14 May the works council in Utrecht vetoed session replay, so whatever we build must not record single users.',
  },
  { message: 'Sounds good.', filler: true, stream: 'whole' },
  {
    message: 'What is the state of ticket ANL-2304, and who owns it?',
    finds: inReport('Findings', 'Data Quality', 'Known Defects'),
  },
  {
    message: 'How much can the CFO Jonas Weidner release alone, and when are the board papers due?',
    finds: inNotes('Stakeholder Notes', '2025-10-10: Jonas Weidner, CFO'),
  },
  { message: 'next question', filler: true },
  {
    message: 'What did one opportunity from partner webinars cost, and what limits the format?',
    finds: inReport('Findings', 'Channels', 'Partner Webinars'),
    stream: 'broken',
  },
  { message: 'Got it, thanks!', filler: true },
  {
    message: 'Remind me: what did the works council veto, and what follows for what we build?',
    recalls: 3,
  },
  {
    message:
      'Which assumption of the MMM is the weakest, and how much does it move the return of paid social?',
    finds: inReport('Method', 'Attribution Models', 'Marketing Mix Model'),
  },
  {
    message: 'What did the Growth Council decide about the Leadmere contract and about the dashboard?',
    finds: inNotes('Stakeholder Notes', '2025-10-20: Growth Council, Decisions'),
  },
];
