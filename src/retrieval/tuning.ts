import { z } from 'zod';
import { HEADER_WEIGHT } from '../text/postings.ts';

const share = (value: number) => z.number().min(0).max(1).default(value);
const factor = (value: number) => z.number().min(0).max(10).default(value);
const count = (value: number, most = 10_000) => z.int().min(1).max(most).default(value);

/** How texts are indexed. What depends on these is made anew by indexing only: `npm run eval` does that for each value. */
const index = z
  .strictObject({
    /** What a word of a leaf's context header counts; its home is `text/postings.ts`, where its figures stand too. */
    headerWeight: count(HEADER_WEIGHT, 100),
  })
  .readonly();

/** The two rankings, made one; what vectors count for is their model's (`EmbeddingCalibration.fusionWeight`). */
const fusion = z
  .strictObject({
    /**
     * The constant of reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
     * and individual Rank Learning Methods" (2009) has 60. With two rankings of unequal strength 10 is better on all sets
     * measured: at 60 the first place is worth hardly more than the thirtieth, so that a weak second opinion decides.
     */
    k: z.number().min(0).max(1_000).default(10),
  })
  .readonly();

/**
 * Okapi BM25 with the constants that Lucene uses; Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond" (2009). k1 0.9 to 2 and b 0.4 to 0.9 were measured on five sets: none is better on all of them.
 */
const bm25 = z
  .strictObject({
    /** How much a term's second and later occurrences add. */
    k1: factor(1.2),
    /** How far long texts are marked down for their length. */
    b: share(0.75),
  })
  .readonly();

/**
 * What the file's own BM25, over the project's files, makes up of the score of each leaf of it. Where files are hardly
 * longer than leaves (abstracts, tickets, notes) the file is what is looked for, and its parts say less than it does as a
 * whole. Measured on 5,000 abstracts: nDCG@10 .678 instead of .656; documentation and code, whose files are longer, stay
 * as they were.
 */
const file = z
  .strictObject({
    /** As a rule, where files are long: a sixth. */
    leastShare: share(1 / 6),
    /** Where files are short: something of the leaf is left, so that the best one of a file is known. */
    mostShare: share(0.96),
    /** Leaves on average of a project's files that count as short, and as long; between the two the share slides. */
    leavesOfShort: z.number().min(1).max(1_000).default(2.5),
    leavesOfLong: z.number().min(1).max(1_000).default(5),
  })
  .refine(
    ({ leavesOfShort, leavesOfLong }) => leavesOfShort < leavesOfLong,
    'leavesOfShort must be less than leavesOfLong',
  )
  .readonly();

/**
 * Large projects are ranked in two steps: the postings of a query's rarest terms say which files may hold the best leaves, and
 * only those files are scored by all terms.
 */
const large = z
  .strictObject({
    /** Leaves of a project from which on it is done so: below, everything is read in one statement. */
    fromLeaves: z.int().min(0).max(1_000_000_000).default(20_000),
    /**
     * Postings that are read of segments, the rarest terms first: so many for each leaf of the project, and at least. Of the ten best
     * leaves of 100,000 all are found with 50,000 and .995 with 30,000; of a million .993 with 150,000 and .958 with 50,000.
     */
    segmentShare: share(0.15),
    segmentPostings: count(50_000, 1_000_000_000),
    /** A project with more files outside of its segments, which are about to be made, is ranked as one that has none. */
    filesOutside: count(200, 1_000_000),
    /**
     * Where there are no segments, postings of the rarest terms together, the first one's apart: one for each 50 leaves, and at least. In 100,000 leaves .99 of
     * the ten best are found with 3,000, in a third of the time that 20,000 take; in a million .51 with 5,000, and .89 with 20,000.
     */
    rareShare: share(0.02),
    rarePostings: count(3_000, 1_000_000),
    /** Lists of them that are read, one for each term and file: those with the most leaves. */
    rareLists: count(20_000, 1_000_000),
    /** Leaves whose files are scored by all terms, at least: 300 instead take half as long again, and find one in 500 more of the ten best. */
    likelyLeaves: count(200, 100_000),
    /** The same where there are no segments, and it is less known which they are. */
    likelyWithoutSegments: count(300, 100_000),
  })
  .readonly();

/** Words that no leaf has are met by their neighbours in the project's own words. */
const respelling = z
  .strictObject({
    /** Shorter words are near to others by chance; in longer ones two letters may be wrong. */
    leastLetters: count(5, 64),
    longLetters: count(8, 64),
    /** A word that is common in general is meant as it is, though no leaf has it. */
    leastRarity: share(0.75),
    /** What such a word counts of one that is there. */
    share: share(0.6),
    /** Terms of the same beginning that are looked at for two wrong letters. */
    mostTerms: count(300),
  })
  .readonly();

/** What stands in quotation marks. */
const phrases = z
  .strictObject({
    /** Leaves whose texts are read for a phrase: those that have most of its words. */
    leavesRead: count(100),
  })
  .readonly();

/** Ranking by words, of leaves and of turns. */
const lexical = z
  .strictObject({
    bm25: bm25.prefault({}),
    /**
     * What a neighbour's own score adds to a text's score. Measured with the share of the file, whose figures stand below:
     * 1 to 5 points of recall on code, documentation and conversations, half a point lost on abstracts of one or two leaves.
     */
    neighbourShare: share(0.15),
    file: file.prefault({}),
    /**
     * Postings that a query reads at most in a project that is not large: some milliseconds of scoring. Its rarest terms come first,
     * whatever they have; common words, which say little anyway, may be left out.
     */
    mostPostings: count(200_000, 1_000_000_000),
    large: large.prefault({}),
    respelling: respelling.prefault({}),
    phrases: phrases.prefault({}),
  })
  .readonly();

/** From ranked leaves to the parents that are read. */
const documents = z
  .strictObject({
    /** Leaves ranked for each parent wanted, and at least: parents with many matching leaves leave room for others. */
    leavesPerParent: count(8),
    minDepth: count(50),
    /** Of the leaves ranked, those whose parents are looked at first for each parent wanted, and at least. */
    firstPerParent: count(4),
    minFirst: count(24),
    /** When all leaves ranked have too few parents, so many times more are ranked. */
    widening: z.int().min(2).max(1_000).default(8),
    /** A leaf less good than this share of its parent's best is context, not a match. */
    matchShare: share(0.5),
  })
  .readonly();

/** Earlier turns. */
const turns = z
  .strictObject({
    /** Turns that a ranking gives at most. */
    depth: count(200),
    /** What a turn of the probe that is being worked on is worth more than another one. */
    probeBoost: factor(1.2),
    /**
     * What is left of the score of half an exchange: an acknowledgement ("thanks", "next question"), whose user has said
     * nothing to recall, or a message without a reply, which as a rule was sent again.
     */
    halfShare: share(0.5),
  })
  .readonly();

/** What a turn looks up for its message. */
const message = z
  .strictObject({
    /** Characters that are searched by: a query of a whole pasted page finds nothing in particular. */
    longest: count(4_000, 1_000_000),
    /**
     * How far the active probe's text bends the vector of the message: enough to break ties towards what is being asked
     * about, too little to lead away from what was said. Words are searched by the message alone: the probe's words are
     * ours, not the documents'.
     */
    probeShare: share(0.2),
    /** Passages looked up for each that is wanted, so that the bonus below has some to choose from. */
    spare: count(2, 100),
    /** What a passage of a file that the message is about has ahead of an equal one of another file. */
    relevantFileBonus: factor(1.25),
  })
  .readonly();

/**
 * A project and the library in one ranking. Confidences compare between them, so that these only decide what is nearly
 * equal, and keep a large library from taking all places. No labelled set has both: they are judgement, not measurement.
 */
const sources = z
  .strictObject({
    /** What a passage of the project has ahead of one of the library, in confidence: less than a reader would call better. */
    ownBonus: share(0.05),
    /** Of the places, how many are for passages of the project that bear on the query. */
    ownShare: share(0.5),
  })
  .readonly();

/** Questions that ask for more than one place in one file: "compare", "overview". No labelled set has them: judgement, not measurement. */
const breadth = z
  .strictObject({
    /** Of the places, how many one file may have while others have something to say. */
    fileShare: share(0.5),
    /** What share of the confidence of the passage whose place it takes another file's has to have. */
    nearlyAsMuch: share(0.75),
  })
  .readonly();

/**
 * The confidence that a section of one document answers a question; what nearness adds is the model's
 * (`EmbeddingCalibration`). Measured on the questions of the documentation set, each asked of the page that answers it and
 * of others: with these the right section stands first more often than by either score alone or by the fusion of ranks
 * (MRR .857 against .831, .735 and .833), 96 % of the right sections are over 0.3, and so is the best of an unrelated page
 * of the same site in 61 % of cases. `npm run eval -- sections` measures the like.
 */
const confidence = z
  .strictObject({
    /** Share of the attainable BM25 score at which words alone give 63 %. */
    wordScale: z.number().min(0.01).max(10).default(0.35),
    /** What a heading that has all words of the query gives, where there is no vector. */
    headingWeight: share(0.3),
  })
  .readonly();

const coefficient = (value: number) => z.number().min(0).max(50).default(value);

/** What the evidence of words comes to in log odds: `collectEvidence` says what each of it is. */
const wordEvidence = (
  values: Record<'told' | 'specific' | 'unknown' | 'missingName' | 'unknownName', number>,
) => ({
  /** For a text. */
  told: coefficient(values.told),
  specific: coefficient(values.specific),
  /** Against it. */
  unknown: coefficient(values.unknown),
  missingName: coefficient(values.missingName),
  unknownName: coefficient(values.unknownName),
});

/**
 * The confidence that a passage bears on a query, by logistic regression: no coefficient is negative, so that more evidence
 * never counts for less. Fitted on one half of the labelled questions (eval/answerability) and reported on the other:
 * `npm run eval -- answerability` shows what the floor keeps, and `npx tsx eval/answerability/fit.ts` prints the
 * coefficients anew.
 */
const relevance = z
  .strictObject({
    /** Passages of less confidence are left out where the caller says nothing: the least that keeps 97 % of the answers. */
    floor: share(0.2),
    /**
     * What words and standing must come to together for 63 % of the confidence: the labelled questions have few passages that
     * nothing speaks for nor against, and small projects have many. 0.05 to 0.2 leave the curve as it is.
     */
    supportScale: z.number().min(0.001).max(10).default(0.1),
    /**
     * What an exchange has ahead of a passage, in log odds: it says little in many words, and what it is about was said before
     * it. Recall at 10 on long conversations is .790 with the floor and .795 without; with nothing ahead it would be .745.
     */
    turnsAhead: coefficient(1.5),
    /** Place in the ranking by vectors whose similarity is taken for an ordinary one. */
    ordinaryRank: count(25),
    /** With a vector whose standing is known. */
    byBoth: z
      .strictObject({
        bias: z.number().min(-20).max(20).default(-0.9),
        ...wordEvidence({ told: 0.76, specific: 2.95, unknown: 2.05, missingName: 1.52, unknownName: 0.75 }),
        standing: coefficient(1.96),
      })
      .readonly()
      .prefault({}),
    /** Without: words alone decide. */
    byWords: z
      .strictObject({
        bias: z.number().min(-20).max(20).default(-0.9),
        ...wordEvidence({ told: 0.95, specific: 3.22, unknown: 1.42, missingName: 1.9, unknownName: 0.67 }),
      })
      .readonly()
      .prefault({}),
  })
  .readonly();

/** From ranked leaves to the sections of one document. */
const sections = z
  .strictObject({
    /** Leaves looked at for each section wanted, and at least. */
    leavesPerSection: count(6),
    minDepth: count(48),
    /** The same where only some sections of the document are wanted: most of the leaves may be outside them. */
    narrowedDepth: count(1_000, 100_000),
    /** Leaves read at a time for each section wanted, best first, until there are enough. */
    leavesReadPerSection: count(3),
  })
  .readonly();

/** Every constant of ranking, with its range. */
export const retrievalTuningSchema = z.strictObject({
  index: index.prefault({}),
  fusion: fusion.prefault({}),
  lexical: lexical.prefault({}),
  documents: documents.prefault({}),
  turns: turns.prefault({}),
  message: message.prefault({}),
  sources: sources.prefault({}),
  breadth: breadth.prefault({}),
  confidence: confidence.prefault({}),
  relevance: relevance.prefault({}),
  sections: sections.prefault({}),
});

export type RetrievalTuning = Readonly<z.output<typeof retrievalTuningSchema>>;

/**
 * What the service ranks by. The functions of this room take it as a parameter, so that `npm run eval -- --set` and
 * `--sweep` can measure others; the service has no such setting.
 */
export const retrievalTuning: RetrievalTuning = Object.freeze(retrievalTuningSchema.parse({}));
